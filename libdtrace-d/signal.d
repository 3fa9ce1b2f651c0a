/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signal.d - signal numbers of Linux on x86-64 and arm64, and the codes of siginfo.
 */
enum signal_name {
	SIGHUP = 1,
	SIGINT = 2,
	SIGQUIT = 3,
	SIGILL = 4,
	SIGTRAP = 5,
	SIGABRT = 6,
	SIGBUS = 7,
	SIGFPE = 8,
	SIGKILL = 9,
	SIGUSR1 = 10,
	SIGSEGV = 11,
	SIGUSR2 = 12,
	SIGPIPE = 13,
	SIGALRM = 14,
	SIGTERM = 15,
	SIGSTKFLT = 16,
	SIGCHLD = 17,
	SIGCONT = 18,
	SIGSTOP = 19,
	SIGTSTP = 20,
	SIGTTIN = 21,
	SIGTTOU = 22,
	SIGURG = 23,
	SIGXCPU = 24,
	SIGXFSZ = 25,
	SIGVTALRM = 26,
	SIGPROF = 27,
	SIGWINCH = 28,
	SIGIO = 29,
	SIGPWR = 30,
	SIGSYS = 31,
	SIGRTMIN = 34,
	SIGRTMAX = 64,
};

/* The name of a number, under %s and as a key: printf("%s", signal_name[args[2]]). */
inline enum signal_name signal_name[int number] = (enum signal_name)number;

inline int CLD_EXITED = 1;
inline int CLD_KILLED = 2;
inline int CLD_DUMPED = 3;
inline int CLD_TRAPPED = 4;
inline int CLD_STOPPED = 5;
inline int CLD_CONTINUED = 6;
inline int SI_USER = 0;
inline int SI_KERNEL = 128;
inline int SI_QUEUE = -1;
inline int SI_TIMER = -2;
inline int SI_MESGQ = -3;
inline int SI_ASYNCIO = -4;
inline int SI_TKILL = -6;
