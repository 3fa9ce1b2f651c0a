// SPDX-License-Identifier: Apache-2.0
// Where a program begins that is linked with -nostartfiles: argc is at the stack pointer, and no return address.
#if defined(__x86_64__) && defined(__LP64__)
	.text
	.globl	begin
	.type	begin, @function
begin:
	.cfi_startproc
	.cfi_undefined rip
	xorl	%ebp, %ebp
	movq	%rdx, %r9
	popq	%rsi
	movq	%rsp, %rdx
	andq	$-16, %rsp
	pushq	%rax
	pushq	%rsp
	xorl	%r8d, %r8d
	xorl	%ecx, %ecx
	leaq	main(%rip), %rdi
	call	*__libc_start_main@GOTPCREL(%rip)
	hlt
	.cfi_endproc
	.size	begin, .-begin

// Without rules of unwinding, and named as the C library's.
	.globl	_start
	.type	_start, @function
_start:
	xorl	%ebp, %ebp
	jmp	begin
	.size	_start, .-_start
#endif
	.section .note.GNU-stack, "", %progbits
