/* SPDX-License-Identifier: Apache-2.0 */
/* The functions f0, f1, ... keep the registers where struct pt_regs has them. What they return nobody looks at. */
.globl _start
_start:
  xorl %ebp, %ebp
  andq $-64, %rsp
  call abi_main
  hlt

.globl abi_function
abi_function:
  movq %r9, abi_registers+64(%rip)
  movq %r8, abi_registers+72(%rip)
  movq %rax, abi_registers+80(%rip)
  movq %rcx, abi_registers+88(%rip)
  movq %rdx, abi_registers+96(%rip)
  movq %rsi, abi_registers+104(%rip)
  movq %rdi, abi_registers+112(%rip)
  movq %rsp, abi_registers+152(%rip)
  fninit
  pushq %rbp
  movq %rsp, %rbp
  andq $-64, %rsp
  call abi_check
  movq %rbp, %rsp
  popq %rbp
  /* Two numbers for callers of functions that return them there; the address of the result for all others. */
  fninit
  fldz
  fldz
  movq abi_registers+112(%rip), %rax
  ret

.section .note.GNU-stack,"",@progbits
