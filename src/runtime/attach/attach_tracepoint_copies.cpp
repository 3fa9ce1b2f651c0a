// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_tracepoint_copies.h"

#include <bpf/bpf.h>

#include <cerrno>
#include <utility>

#include "runtime/kernel/probe_events.h"

namespace dtrace::runtime {

Result<Unit> attach_tracepoint_copies(const bpf_program &program, const ProgramPlan &plan,
                                      std::vector<ProgramCopy> &copies) {
  allow_many_events();
  ProgramCopier copier(program);
  for (uint32_t i = 0; i < plan.copies.size(); ++i) {
    const std::string &event = plan.copies[i];
    if (!copier.set_number(i)) return Error("a program for tracepoints loads no number");
    LIBBPF_OPTS(bpf_prog_load_opts, options);
    Fd copy = copier.load(BPF_PROG_TYPE_RAW_TRACEPOINT, plan.function, options);
    if (!copy) return Error::from_errno("cannot load the program of the tracepoint " + event, errno);
    Fd link(bpf_raw_tracepoint_open(event.c_str(), copy.get()));
    if (!link) return Error::from_errno("cannot attach to the tracepoint " + event, errno);
    copies.push_back({event, std::move(copy), std::move(link)});
  }
  return ok();
}

}  // namespace dtrace::runtime
