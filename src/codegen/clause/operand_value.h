// SPDX-License-Identifier: Apache-2.0
// What the operand of a site means, as arithmetic, apart from how registers and memory are read. bpf/operand.bpf.c says
// the same to operands that become known when the program is in the kernel.
#pragma once

#include <functional>

#include "codegen/llvm/ir.h"
#include "plan/hook.h"

namespace dtrace::codegen {

/// The saved register at a byte offset in struct pt_regs, as 64 bits.
using RegisterReader = std::function<llvm::Value *(uint16_t offset)>;

/// base + index * scale + displacement, in as many bits as the program's addresses have.
llvm::Value *operand_address(Builder &builder, const UserOperand &operand, const RegisterReader &read);

/// The value, as 64 bits, of an operand that lies in no memory: a constant, one register or two, an address.
llvm::Value *operand_value(Builder &builder, const UserOperand &operand, const RegisterReader &read);

}  // namespace dtrace::codegen
