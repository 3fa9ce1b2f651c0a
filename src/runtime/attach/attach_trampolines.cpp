// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_trampolines.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>

#include <cerrno>
#include <set>
#include <utility>

namespace dtrace::runtime {
namespace {

/// Types of a program's functions, without which the kernel loads none that gives a function to a helper (bpf_loop).
struct FunctionTypes {
  Fd btf;
  std::vector<bpf_func_info> functions;
};

/// Where functions begin: the program, and what it calls or gives away.
std::set<uint32_t> function_starts(std::span<const bpf_insn> instructions) {
  std::set<uint32_t> starts{0};
  for (size_t i = 0; i < instructions.size(); ++i) {
    const bpf_insn &one = instructions[i];
    const bool calls = one.code == (BPF_JMP | BPF_CALL) && one.src_reg == BPF_PSEUDO_CALL;
    const bool gives = one.code == (BPF_LD | BPF_IMM | BPF_DW) && one.src_reg == BPF_PSEUDO_FUNC;
    if (calls || gives) starts.insert(static_cast<uint32_t>(static_cast<int64_t>(i) + 1 + one.imm));
  }
  return starts;
}

/// The kernel tells the types of a loaded program's functions, in their order; where each begins it has changed. None
/// if it has removed a function.
FunctionTypes types_of(const bpf_program &program) {
  FunctionTypes types;
  bpf_prog_info info{};
  uint32_t size = sizeof info;
  const int fd = bpf_program__fd(&program);
  if (bpf_prog_get_info_by_fd(fd, &info, &size) != 0 || info.btf_id == 0) return types;
  const uint32_t btf_id = info.btf_id, count = info.nr_func_info;
  std::vector<bpf_func_info> functions(count);
  info = {};
  info.nr_func_info = count;
  info.func_info_rec_size = sizeof(bpf_func_info);
  info.func_info = reinterpret_cast<uint64_t>(functions.data());
  size = sizeof info;
  const std::set<uint32_t> starts =
      function_starts({bpf_program__insns(&program), static_cast<size_t>(bpf_program__insn_cnt(&program))});
  if (bpf_prog_get_info_by_fd(fd, &info, &size) != 0 || starts.size() != count) return types;
  types.btf = Fd(bpf_btf_get_fd_by_id(btf_id));
  if (!types.btf) return types;
  auto start = starts.begin();
  for (bpf_func_info &function : functions) function.insn_off = *start++;
  types.functions = std::move(functions);
  return types;
}

}  // namespace

Result<Unit> attach_trampolines(const bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                                std::vector<TrampolineCopy> &copies, AttachReport &report) {
  const bool at_return = plan.hook.facts().at_return;
  const bpf_attach_type type = at_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
  report.mechanism = at_return ? "fexit" : "fentry";
  const FunctionTypes types = types_of(program);
  int error = 0;
  for (const SitePlan &site : sites) {
    LIBBPF_OPTS(bpf_prog_load_opts, load, .expected_attach_type = type, .attach_btf_id = site.site.btf_id);
    if (!types.functions.empty()) {
      load.prog_btf_fd = static_cast<__u32>(types.btf.get());
      load.func_info = types.functions.data();
      load.func_info_cnt = static_cast<__u32>(types.functions.size());
      load.func_info_rec_size = sizeof(bpf_func_info);
    }
    // The instructions as libbpf loaded them: maps are in them by their descriptors.
    Fd copy(bpf_prog_load(BPF_PROG_TYPE_TRACING, plan.function.c_str(), "GPL", bpf_program__insns(&program),
                          bpf_program__insn_cnt(&program), &load));
    LIBBPF_OPTS(bpf_link_create_opts, opts, .tracing = {.cookie = site.cookie});
    Fd link(copy ? bpf_link_create(copy.get(), 0, type, &opts) : -1);
    if (!link) {
      error = errno;
      ++report.refused;
      continue;
    }
    copies.push_back({plan.function, std::move(copy), std::move(link)});
    ++report.sites;
  }
  if (report.sites == 0)
    return Error::from_errno(fmt::format("cannot probe kernel functions ({} tried)", report.refused), error);
  return ok();
}

}  // namespace dtrace::runtime
