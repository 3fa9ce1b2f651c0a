// SPDX-License-Identifier: Apache-2.0
// The BPF target of LLVM. -mcpu=v3: what the oldest kernel we support takes; v4 adds instructions that 6.1 refuses.
#pragma once

#include <memory>

namespace llvm {
class TargetMachine;
}

namespace dtrace::codegen {

std::unique_ptr<llvm::TargetMachine> make_bpf_machine();

}  // namespace dtrace::codegen
