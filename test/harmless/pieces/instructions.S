// SPDX-License-Identifier: Apache-2.0
// Functions that are no functions of C: entered without a return address at the stack pointer, returning twice, or taking their
// return address with them. Their names mean nothing; symbols and rules of unwinding say what they do.
#if defined(__x86_64__) && defined(__LP64__)
	.text

// like_resolver: entered by a jump with two words above the return address, as the resolver of lazy binding is. Takes
// rdi, calls the function whose address the first word is with it, drops both words, and jumps to the second.
	.globl	like_resolver
	.type	like_resolver, @function
like_resolver:
	.cfi_startproc
	.cfi_adjust_cfa_offset 16
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	call	*8(%rsp)
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	movq	8(%rsp), %r11
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmp	*%r11
	.cfi_endproc
	.size	like_resolver, .-like_resolver

// through_resolver(n, first, second): what the linkage table does.
	.globl	through_resolver
	.type	through_resolver, @function
through_resolver:
	.cfi_startproc
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	jmp	like_resolver
	.cfi_endproc
	.size	through_resolver, .-through_resolver

// mark(buffer): 0; and the value that leap(buffer, value) gives, by a jump to where it has been called.
	.globl	mark
	.type	mark, @function
mark:
	.cfi_startproc
	movq	%rbx, (%rdi)
	movq	%rbp, 8(%rdi)
	movq	%r12, 16(%rdi)
	movq	%r13, 24(%rdi)
	movq	%r14, 32(%rdi)
	movq	%r15, 40(%rdi)
	leaq	8(%rsp), %rdx
	movq	%rdx, 48(%rdi)
	movq	(%rsp), %rdx
	movq	%rdx, 56(%rdi)
	xorl	%eax, %eax
	ret
	.cfi_endproc
	.size	mark, .-mark

	.globl	leap
	.type	leap, @function
leap:
	.cfi_startproc
	movq	%rsi, %rax
	movq	(%rdi), %rbx
	movq	8(%rdi), %rbp
	movq	16(%rdi), %r12
	movq	24(%rdi), %r13
	movq	32(%rdi), %r14
	movq	40(%rdi), %r15
	movq	48(%rdi), %rsp
	jmp	*56(%rdi)
	.cfi_endproc
	.size	leap, .-leap

// mark_and_jump(buffer): as mark, but it is left by a jump, as __sigsetjmp is.
	.globl	mark_and_jump
	.type	mark_and_jump, @function
mark_and_jump:
	.cfi_startproc
	movq	%rbx, (%rdi)
	movq	%rbp, 8(%rdi)
	movq	%r12, 16(%rdi)
	movq	%r13, 24(%rdi)
	movq	%r14, 32(%rdi)
	movq	%r15, 40(%rdi)
	leaq	8(%rsp), %rdx
	movq	%rdx, 48(%rdi)
	movq	(%rsp), %rdx
	movq	%rdx, 56(%rdi)
	jmp	marked
	.cfi_endproc
	.size	mark_and_jump, .-mark_and_jump

	.type	marked, @function
marked:
	.cfi_startproc
	xorl	%eax, %eax
	ret
	.cfi_endproc
	.size	marked, .-marked

// pops(n): n + 1, by a jump to its return address, which it has taken off the stack.
	.globl	pops
	.type	pops, @function
pops:
	.cfi_startproc
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	.cfi_register rip, rdx
	leaq	1(%rdi), %rax
	jmp	*%rdx
	.cfi_endproc
	.size	pops, .-pops

// skips(n): 2 * n, but goes on two bytes behind its return address: the caller has a jump there.
	.globl	skips
	.type	skips, @function
skips:
	.cfi_startproc
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	.cfi_register rip, rdx
	addq	$2, %rdx
	leaq	(%rdi,%rdi), %rax
	jmp	*%rdx
	.cfi_endproc
	.size	skips, .-skips

	.globl	call_skips
	.type	call_skips, @function
call_skips:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	skips
	jmp	1f
	addq	$3, %rax
1:	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	call_skips, .-call_skips

// saves_registers: a helper of prologues, as __morestack and the _savegpr of other processors: called first in a function,
// it pushes registers above its return address, and returns to the function by a push.
	.globl	saves_registers
	.type	saves_registers, @function
saves_registers:
	.cfi_startproc
	popq	%r11
	.cfi_adjust_cfa_offset -8
	.cfi_register rip, r11
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	%r11
	.cfi_adjust_cfa_offset 8
	ret
	.cfi_endproc
	.size	saves_registers, .-saves_registers

	.globl	with_saved
	.type	with_saved, @function
with_saved:
	.cfi_startproc
	call	saves_registers
	.cfi_adjust_cfa_offset 16
	movq	%rdi, %rbx
	leaq	5(%rbx), %r12
	leaq	(%rbx,%r12), %rax
	popq	%r12
	.cfi_adjust_cfa_offset -8
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	with_saved, .-with_saved

// where_am_i(): its return address, which it reads and leaves where it is.
	.globl	where_am_i
	.type	where_am_i, @function
where_am_i:
	.cfi_startproc
	movq	(%rsp), %rax
	ret
	.cfi_endproc
	.size	where_am_i, .-where_am_i

	.globl	offset_of_call
	.type	offset_of_call, @function
offset_of_call:
	.cfi_startproc
1:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	where_am_i
	leaq	1b(%rip), %rdx
	subq	%rdx, %rax
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	offset_of_call, .-offset_of_call

// switches(n, stack, function): calls the function on the stack given.
	.globl	switches
	.type	switches, @function
switches:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register rbp
	movq	%rsi, %rsp
	call	*%rdx
	movq	%rbp, %rsp
	popq	%rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size	switches, .-switches
#endif
	.section .note.GNU-stack, "", %progbits
