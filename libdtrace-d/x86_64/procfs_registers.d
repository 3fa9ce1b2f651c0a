/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procfs_registers.d - the registers that a thread had in user mode, at the end of its 16 KiB kernel stack.
 *
 * Kernels that can do without an interrupt table (FRED) leave two words above them; ss is the last register.
 */
inline short __dt_pr_syscall[struct task_struct *T] =
    (short)((struct pt_regs *)((uintptr_t)T->stack + 16384 - sizeof (struct pt_regs) -
    (*(uint16_t *)((uintptr_t)T->stack + 16376) == 0x2b ? 0 : 16)))->orig_ax;
