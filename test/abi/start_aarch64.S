/* SPDX-License-Identifier: Apache-2.0 */
/* The functions f0, f1, ... keep the registers where struct pt_regs has them. What they return nobody looks at. */
.globl _start
_start:
  mov x29, #0
  mov x30, #0
  bl abi_main
  brk #0

.globl abi_function
abi_function:
  adrp x16, abi_registers
  add x16, x16, :lo12:abi_registers
  stp x0, x1, [x16]
  stp x2, x3, [x16, #16]
  stp x4, x5, [x16, #32]
  stp x6, x7, [x16, #48]
  str x8, [x16, #64]
  mov x15, sp
  str x15, [x16, #248]
  stp x29, x30, [sp, #-16]!
  bl abi_check
  ldp x29, x30, [sp], #16
  ret

.section .note.GNU-stack,"",@progbits
