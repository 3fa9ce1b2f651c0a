/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.d - types of variables of the kernel, for `name: its own type information has those of per-CPU data only.
 *
 * A program declares others in the same way; or it casts their address: *(int *)&`name.
 */
extern struct task_struct init_task;
extern struct mm_struct init_mm;
extern struct cred init_cred;
extern struct nsproxy init_nsproxy;
extern struct pid_namespace init_pid_ns;
extern struct user_namespace init_user_ns;
extern struct uts_namespace init_uts_ns;
extern struct net init_net;
extern struct list_head modules;
extern struct list_head super_blocks;
extern struct file_system_type *file_systems;

extern unsigned long __per_cpu_offset[8192];

/*
 * A per-CPU variable by its name is this CPU's copy. Another CPU's: ((struct rq *)per_cpu_ptr[(uintptr_t)&`runqueues, 1])->cpu.
 */
inline uintptr_t per_cpu_ptr[uintptr_t here, int other] = here - `__per_cpu_offset[cpu] + `__per_cpu_offset[other];

extern unsigned long jiffies;		/* ticks of the clock, of CONFIG_HZ a second */
extern unsigned long loops_per_jiffy;
extern unsigned long max_pfn;		/* pages of memory, holes counted */
extern unsigned long total_forks;	/* since the system started */
extern int nr_threads;
extern unsigned int nr_cpu_ids;		/* possible CPUs */
extern int panic_timeout;
extern char *saved_command_line;
