// SPDX-License-Identifier: Apache-2.0
// Section of a program on a typed tracepoint. It names the type by its number. libbpf's own section, tp_btf/, has the
// tracepoint's name, and libbpf reads all types of the kernel to find the number.
#pragma once

namespace dtrace {

/// The number follows, that of `typedef btf_trace_<event>` in the kernel's BTF.
inline constexpr char kTypedTracepointSection[] = "typed_tp/";

}  // namespace dtrace
