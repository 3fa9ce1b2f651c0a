// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_trampolines.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace dtrace::runtime {
Result<Unit> attach_trampolines(const bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                                std::vector<ProgramCopy> &copies, AttachReport &report) {
  const bool at_return = plan.hook.facts().at_return;
  const bpf_attach_type type = at_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
  report.mechanism = at_return ? "fexit" : "fentry";
  const ProgramCopier copier(program);
  int error = 0;
  for (const SitePlan &site : sites) {
    LIBBPF_OPTS(bpf_prog_load_opts, load, .expected_attach_type = type, .attach_btf_id = site.site.btf_id);
    Fd copy = copier.load(BPF_PROG_TYPE_TRACING, plan.function, load);
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
