/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procfs_registers.d - the registers that a thread had in user mode, at the end of its kernel stack, which has 16 KiB or a page.
 */
inline short __dt_pr_syscall[struct task_struct *T] =
    (short)((struct pt_regs *)((uintptr_t)T->stack + (__dt_page_bytes > 16384 ? __dt_page_bytes : 16384)))[-1].syscallno;
