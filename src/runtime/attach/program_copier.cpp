// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/program_copier.h"

#include <bpf/libbpf.h>

#include <set>
#include <span>

#include "plan/hook.h"

namespace dtrace::runtime {
namespace {

constexpr uint8_t kLoad64 = BPF_LD | BPF_IMM | BPF_DW;

/// Where functions begin: the program, and what it calls or gives away.
std::set<uint32_t> function_starts(std::span<const bpf_insn> instructions) {
  std::set<uint32_t> starts{0};
  for (size_t i = 0; i < instructions.size(); ++i) {
    const bpf_insn &one = instructions[i];
    const bool calls = one.code == (BPF_JMP | BPF_CALL) && one.src_reg == BPF_PSEUDO_CALL;
    const bool gives = one.code == kLoad64 && one.src_reg == BPF_PSEUDO_FUNC;
    if (calls || gives) starts.insert(static_cast<uint32_t>(static_cast<int64_t>(i) + 1 + one.imm));
  }
  return starts;
}

/// Where the instruction that loads CopyNumber::kMark begins, which has two slots.
std::vector<size_t> find_marks(std::span<const bpf_insn> instructions) {
  std::vector<size_t> marks;
  for (size_t i = 0; i + 1 < instructions.size(); ++i) {
    const bpf_insn &low = instructions[i], &high = instructions[i + 1];
    if (low.code == kLoad64 && low.src_reg == 0 && static_cast<uint32_t>(low.imm) == uint32_t(CopyNumber::kMark) &&
        static_cast<uint32_t>(high.imm) == CopyNumber::kMark >> 32)
      marks.push_back(i);
  }
  return marks;
}

}  // namespace

/// The kernel tells the types of a loaded program's functions, in their order; where each begins it has changed. None
/// if it has removed a function.
ProgramCopier::ProgramCopier(const bpf_program &program)
    : instructions_(bpf_program__insns(&program), bpf_program__insns(&program) + bpf_program__insn_cnt(&program)) {
  bpf_prog_info info{};
  uint32_t size = sizeof info;
  const int fd = bpf_program__fd(&program);
  if (bpf_prog_get_info_by_fd(fd, &info, &size) != 0 || info.btf_id == 0) return;
  const uint32_t btf_id = info.btf_id, count = info.nr_func_info;
  std::vector<bpf_func_info> functions(count);
  info = {};
  info.nr_func_info = count;
  info.func_info_rec_size = sizeof(bpf_func_info);
  info.func_info = reinterpret_cast<uint64_t>(functions.data());
  size = sizeof info;
  const std::set<uint32_t> starts = function_starts(instructions_);
  if (bpf_prog_get_info_by_fd(fd, &info, &size) != 0 || starts.size() != count) return;
  types_ = Fd(bpf_btf_get_fd_by_id(btf_id));
  if (!types_) return;
  auto start = starts.begin();
  for (bpf_func_info &function : functions) function.insn_off = *start++;
  functions_ = std::move(functions);
}

bool ProgramCopier::set_number(uint32_t number) {
  if (!marks_) marks_ = find_marks(instructions_);
  for (const size_t mark : *marks_) {
    instructions_[mark].imm = static_cast<int32_t>(number);
    instructions_[mark + 1].imm = 0;
  }
  return !marks_->empty();
}

Fd ProgramCopier::load(bpf_prog_type type, const std::string &name, bpf_prog_load_opts &options) const {
  if (!functions_.empty()) {
    options.prog_btf_fd = static_cast<__u32>(types_.get());
    options.func_info = functions_.data();
    options.func_info_cnt = static_cast<__u32>(functions_.size());
    options.func_info_rec_size = sizeof(bpf_func_info);
  }
  return Fd(bpf_prog_load(type, name.c_str(), "GPL", instructions_.data(), instructions_.size(), &options));
}

}  // namespace dtrace::runtime
