// SPDX-License-Identifier: Apache-2.0
// The BPF run-time library as bitcode, embedded at build time. The code generator links from it what a program uses.
#pragma once

#include <cstddef>
#include <span>

namespace dtrace {

/// LLVM bitcode of bpf/*.bpf.c; lives as long as the process.
std::span<const std::byte> bpf_library();

}  // namespace dtrace
