// SPDX-License-Identifier: Apache-2.0
// Programs on typed tracepoints, without libbpf's copy of the kernel's types: 5 MB, read a page at a time. That took as
// long as the rest of a start.
#include "runtime/load/typed_tracepoints.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

#include "plan/typed_section.h"

namespace dtrace::runtime {
namespace {

/// Called by libbpf right before it loads the program.
int give_type(bpf_program *program, bpf_prog_load_opts *opts, long) {
  std::string_view number = bpf_program__section_name(program);
  number.remove_prefix(std::string_view(kTypedTracepointSection).size());
  if (std::from_chars(number.data(), number.data() + number.size(), opts->attach_btf_id).ec != std::errc())
    return -EINVAL;
  return bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
}

}  // namespace

void accept_typed_tracepoints() {
  // The section stands for another type: libbpf reads the kernel's types if an object has programs of type tracing.
  [[maybe_unused]] static const int handler = [] {
    LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = give_type);
    return libbpf_register_prog_handler(kTypedTracepointSection, BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_RAW_TP, &opts);
  }();
}

}  // namespace dtrace::runtime
