/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procfs.d - processes and threads as D programs know them: psinfo_t, lwpsinfo_t, and the inlines curpsinfo, curlwpsinfo.
 *
 * Members read the kernel's task_struct through its BTF. A member whose source the running kernel lacks is an error only in
 * a program that uses it. Identities that Linux has no notion of (task, project, pool, zone, contract) are 0.
 */

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;		/* number of threads */
	int pr_nzomb;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;	/* struct task_struct of the thread group leader */
	size_t pr_size;		/* KiB of virtual memory */
	size_t pr_rssize;	/* KiB resident; a few hundred may be missing, the kernel counts by CPU */
	dev_t pr_ttydev;	/* controlling terminal, -1: none */
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start;	/* since 1970 */
	timestruc_t pr_time;	/* of the given thread and of those that ended */
	timestruc_t pr_ctime;	/* of its children that were waited for */
	string pr_fname;	/* name of the program, at most 15 characters */
	string pr_psargs;	/* arguments of the running process, up to strsize; a kernel thread's name; others: <unknown> */
	int pr_wstat;
	int pr_argc;		/* number of arguments of the running process; others: 0 */
	uintptr_t pr_argv;	/* user address of the addresses of the arguments */
	uintptr_t pr_envp;	/* likewise of the environment, of the running process; others: 0 */
	char pr_dmodel;		/* PR_MODEL_ILP32 or PR_MODEL_LP64 */
	id_t pr_taskid;
	id_t pr_projid;
	id_t pr_poolid;
	id_t pr_zoneid;
	id_t pr_contract;
} psinfo_t;

inline char PR_MODEL_UNKNOWN = 0;
inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

translator timestruc_t < uint64_t NS > {
	tv_sec = NS / 1000000000;
	tv_nsec = NS % 1000000000;
};

/* Resident pages of files, of memory and of shared memory: what the kernel keeps them in is decided by its type (6.2). */
typedef struct __dt_resident {
	int64_t pages;
} __dt_resident_t;

translator __dt_resident_t < struct percpu_counter *C > {
	pages = C[0].count + C[1].count + C[3].count;
};

translator __dt_resident_t < struct mm_rss_stat S > {
	pages = S.count[0].counter + S.count[1].counter + S.count[3].counter;
};

/* By the size of the address space: the flag that says so has another number in each kernel. */
inline int __dt_pointer_bytes[struct mm_struct *mm] = mm != NULL && mm->task_size <= 0xffffffff ? 4 : 8;

/*
 * Where execve() puts the arguments, upwards:  argc, addresses of the arguments, 0, addresses of the environment, 0, ...,
 * the arguments, the environment.  start_stack is the address of argc, which programs may write to like to any other
 * memory. Until execve() has put the arguments there, it equals arg_start or arg_end is 0.
 */
inline int __dt_has_args[struct mm_struct *mm] = (this->__dt_mm = mm) != NULL &&
    (this->__dt_arg_end = this->__dt_mm->arg_end) > (this->__dt_arg_start = this->__dt_mm->arg_start) &&
    this->__dt_mm->start_stack != this->__dt_arg_start;
inline int __dt_args_readable[struct task_struct *T] =
    __dt_has_args[T->mm] && (uintptr_t)this->__dt_mm == (uintptr_t)curthread->mm;
inline unsigned int __DT_PF_KTHREAD = 0x00200000;
inline int __dt_argc = *(userland int *)curthread->mm->start_stack;

translator psinfo_t < struct task_struct *T > {
	pr_flag = 0;
	pr_nlwp = T->signal->nr_threads;
	pr_nzomb = 0;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->real_cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->real_cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T->group_leader;
	pr_size = T->mm == NULL ? 0 : T->mm->total_vm * (__dt_page_bytes / 1024);
	pr_rssize = T->mm == NULL ? 0 : (size_t)(xlate <__dt_resident_t> (T->mm->rss_stat).pages * (__dt_page_bytes / 1024));
	pr_ttydev = T->signal->tty == NULL ? (dev_t)-1 :
	    (dev_t)((T->signal->tty->driver->major << 20) + T->signal->tty->driver->minor_start + T->signal->tty->index);
	pr_pctcpu = 0;
	pr_pctmem = 0;
	pr_start = xlate <timestruc_t> ((uint64_t)(T->group_leader->start_time + walltimestamp - timestamp));
	pr_time = xlate <timestruc_t> ((uint64_t)(T->signal->sum_sched_runtime + T->se.sum_exec_runtime));
	pr_ctime = xlate <timestruc_t> ((uint64_t)(T->signal->cutime + T->signal->cstime));
	pr_fname = stringof(T->group_leader->comm);
	pr_psargs = (T->flags & __DT_PF_KTHREAD) != 0 ? stringof(T->comm) : __dt_args_readable[T] ?
	    memstr((userland void *)this->__dt_arg_start, ' ', this->__dt_arg_end - this->__dt_arg_start) : "<unknown>";
	pr_wstat = T->exit_code;
	pr_argc = __dt_args_readable[T] ? __dt_argc : 0;
	pr_argv = __dt_has_args[T->mm] ? T->mm->start_stack + __dt_pointer_bytes[T->mm] : 0;
	pr_envp = __dt_args_readable[T] ? T->mm->start_stack + (__dt_argc + 2) * __dt_pointer_bytes[T->mm] : 0;
	pr_dmodel = __dt_pointer_bytes[T->mm] == 4 ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
};

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;		/* thread id */
	uintptr_t pr_addr;	/* struct task_struct */
	uintptr_t pr_wchan;
	uchar_t pr_stype;	/* SOBJ_NONE: Linux does not say what a thread sleeps on */
	char pr_state;		/* SSLEEP ... */
	char pr_sname;		/* 'S', 'R', 'O', 'T', 'Z' */
	char pr_nice;
	short pr_syscall;	/* number of the system call being made, -1: none */
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;		/* Linux: 0 to 139, lower is more urgent */
	ushort_t pr_pctcpu;
	timestruc_t pr_start;	/* since 1970 */
	timestruc_t pr_time;	/* on a CPU */
	string pr_clname;	/* "TS", "RT", "RR", "BATCH", "IDLE", "DL" */
	string pr_name;		/* name of the thread */
	processorid_t pr_onpro;	/* CPU it runs or last ran on */
	processorid_t pr_bindpro;	/* the CPU it is bound to, PBIND_NONE: several */
	int pr_bindpset;
	int pr_lgrp;
} lwpsinfo_t;

inline int PR_STOPPED = 0x1;
inline int PR_ISTOP = 0x2;
inline int PR_DSTOP = 0x4;
inline int PR_IDLE = 0x10000000;

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;
inline char SWAIT = 7;

inline char SOBJ_NONE = 0;
inline char SOBJ_MUTEX = 1;
inline char SOBJ_RWLOCK = 2;
inline char SOBJ_CV = 3;
inline char SOBJ_SEMA = 4;
inline char SOBJ_USER = 5;
inline char SOBJ_USER_PI = 6;
inline char SOBJ_SHUTTLE = 7;

inline int PBIND_NONE = -1;

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = (T->__state & 12 ? PR_STOPPED : 0) | (T->pid == 0 ? PR_IDLE : 0);
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = SOBJ_NONE;
	pr_state = T->exit_state != 0 ? SZOMB : T->__state & 12 ? SSTOP :
	    T->__state & 3 ? SSLEEP : T->on_cpu ? SONPROC : SRUN;
	pr_sname = T->exit_state != 0 ? 'Z' : T->__state & 12 ? 'T' :
	    T->__state & 3 ? 'S' : T->on_cpu ? 'O' : 'R';
	pr_nice = T->static_prio - 120;
	pr_syscall = __dt_pr_syscall[T];
	pr_oldpri = 0;
	pr_cpu = 0;
	pr_pri = T->prio;
	pr_pctcpu = 0;
	pr_start = xlate <timestruc_t> ((uint64_t)(T->start_time + walltimestamp - timestamp));
	pr_time = xlate <timestruc_t> ((uint64_t)T->se.sum_exec_runtime);
	pr_clname = T->policy == 1 ? "RT" : T->policy == 2 ? "RR" : T->policy == 3 ? "BATCH" :
	    T->policy == 5 ? "IDLE" : T->policy == 6 ? "DL" : "TS";
	pr_name = stringof(T->comm);
	pr_onpro = T->thread_info.cpu;
	pr_bindpro = T->nr_cpus_allowed == 1 ? (processorid_t)T->thread_info.cpu : PBIND_NONE;
	pr_bindpset = PBIND_NONE;
	pr_lgrp = 0;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);

/* The arguments of the running process. */
inline string execargs = curpsinfo->pr_psargs;

/* One of them: execarg[0] is how the program was called. "<none>": there are fewer. */
inline uintptr_t __dt_argument[int n] = __dt_pointer_bytes[curthread->mm] == 4 ?
    *(userland uint32_t *)(curpsinfo->pr_argv + n * 4) : *(userland uint64_t *)(curpsinfo->pr_argv + n * 8);
inline string execarg[int n] = n >= 0 && n < curpsinfo->pr_argc && __dt_argument[n] != 0 ?
    copyinstr(__dt_argument[n]) : "<none>";
