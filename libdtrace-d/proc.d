/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc.d - what the arguments of the proc provider are: siginfo_t, and the faults of proc:::fault.
 */

/*
 * What came with a signal. Members that do not belong to its kind are 0. The kernel's own siginfo_t, which has unions
 * instead, is what the name means in a program that uses no signal's information.
 */
typedef struct __dt_siginfo {
	int si_signo;
	int si_errno;
	int si_code;
	pid_t si_pid;		/* sent by a process: its pid, and its user below */
	uid_t si_uid;
	int si_status;		/* SIGCHLD: exit status or signal */
	uintptr_t si_addr;	/* faults: the address */
	uintptr_t si_value;	/* sigqueue(3), timers, message queues */
	int si_band;		/* SIGPOLL */
	int si_fd;
} siginfo_t;

/* 0 and 1 stand for no information. */
inline int __dt_is_siginfo[struct kernel_siginfo *s] = (uintptr_t)s > 1;

/* Tests for the kernel's own codes, which are positive. */
inline int __dt_is_fault[struct kernel_siginfo *s] = __dt_is_siginfo[s] && s->si_code > 0 && s->si_code != 128 &&
    (s->si_signo == 4 || s->si_signo == 5 || s->si_signo == 7 || s->si_signo == 8 || s->si_signo == 11);
inline int __dt_is_of_child[struct kernel_siginfo *s] = __dt_is_siginfo[s] && s->si_signo == 17 && s->si_code > 0;
inline int __dt_is_poll[struct kernel_siginfo *s] = __dt_is_siginfo[s] && s->si_signo == 29 && s->si_code > 0;
inline int __dt_has_value[struct kernel_siginfo *s] = __dt_is_siginfo[s] &&
    (s->si_code == -1 || s->si_code == -2 || s->si_code == -3);
inline int __dt_has_sender[struct kernel_siginfo *s] = __dt_is_siginfo[s] && (s->si_code == 0 || s->si_code == -1 ||
    s->si_code == -3 || s->si_code == -6 || __dt_is_of_child[s]);

translator siginfo_t < struct kernel_siginfo *S > {
	si_signo = __dt_is_siginfo[S] ? S->si_signo : 0;
	si_errno = __dt_is_siginfo[S] ? S->si_errno : 0;
	si_code = __dt_is_siginfo[S] ? S->si_code : 0;
	si_pid = __dt_has_sender[S] ? S->_sifields._kill._pid : 0;
	si_uid = __dt_has_sender[S] ? S->_sifields._kill._uid : 0;
	si_status = __dt_is_of_child[S] ? S->_sifields._sigchld._status : 0;
	si_addr = __dt_is_fault[S] ? (uintptr_t)S->_sifields._sigfault._addr : 0;
	si_value = __dt_has_value[S] ? (uintptr_t)S->_sifields._rt._sigval.sival_ptr : 0;
	si_band = __dt_is_poll[S] ? (int)S->_sifields._sigpoll._band : 0;
	si_fd = __dt_is_poll[S] ? S->_sifields._sigpoll._fd : 0;
};

/* A program that has a siginfo as an argument then loads this file. */
inline struct kernel_siginfo *__dt_siginfo_of[struct kernel_siginfo *s] = s;

inline int FLTILL = 1;		/* illegal instruction */
inline int FLTPRIV = 2;		/* privileged instruction */
inline int FLTBPT = 3;		/* breakpoint */
inline int FLTTRACE = 4;	/* trace trap */
inline int FLTACCESS = 5;	/* memory that is there cannot be had: alignment, hardware, the end of a file */
inline int FLTBOUNDS = 6;	/* no memory there, or not for that */
inline int FLTIOVF = 7;		/* integer overflow */
inline int FLTIZDIV = 8;	/* integer division by zero */
inline int FLTFPE = 9;		/* floating point */
inline int FLTSTACK = 10;	/* stack */
inline int FLTPAGE = 11;	/* page fault that can be mended */

/* Number of a signal that is delivered: a signal that ends a process reaches its threads as SIGKILL. */
inline int __dt_signal_of[int sig] = sig == 9 && (curthread->signal->group_exit_code & 0x7f) != 0 ?
    curthread->signal->group_exit_code & 0x7f : sig;

/* By the signal and the code that the kernel has for a fault; 0: it is none. */
inline int __dt_fault_of[int sig, int code] =
    sig == 4 ? (code == 5 || code == 6 ? FLTPRIV : code == 8 ? FLTSTACK : FLTILL) :
    sig == 5 ? (code == 2 ? FLTTRACE : FLTBPT) :
    sig == 7 ? FLTACCESS :
    sig == 8 ? (code == 1 ? FLTIZDIV : code == 2 ? FLTIOVF : FLTFPE) :
    sig == 11 ? FLTBOUNDS : 0;

/* CLD_EXITED, CLD_KILLED or CLD_DUMPED, by how the thread ends; if its process ends as a whole, by how that does. */
inline int __dt_exit_code[struct task_struct *t] =
    t->signal->flags & 4 ? t->signal->group_exit_code : t->exit_code;
inline int __dt_exit_why[struct task_struct *t] =
    (__dt_exit_code[t] & 0x7f) == 0 ? 1 : __dt_exit_code[t] & 0x80 ? 3 : 2;
