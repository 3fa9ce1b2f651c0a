// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * task.bpf.c - questions about threads, and waiting on purpose.
 */
#include "dt_bpf.h"
#include "dt_family.h"
#include "dt_unwind.h"

/* Ancestors looked at. */
#define DT_ANCESTORS 64

/*
 * dt_progenyof - is the current process `wanted` or a descendant of it?
 *
 * In:       task, address of the current thread; parent, tgid: offsets in struct task_struct.
 */
DT_FUNC int dt_progenyof(u64 task, u32 wanted, u32 parent, u32 tgid)
{
	for (u32 i = 0; i < DT_ANCESTORS; i++) {
		u32 id = 0;
		u64 above = 0;

		bpf_probe_read_kernel(&id, sizeof(id), (void *)(task + tgid));
		if (id == wanted)
			return 1;
		bpf_probe_read_kernel(&above, sizeof(above), (void *)(task + parent));
		if (above == 0 || above == task)
			return 0;
		task = above;
	}
	return 0;
}

/* Offsets in kernel structures, filled in by the code generator from BTF; and the inode of dtrace's own pid namespace. */
struct dt_pid_layout {
	u32 task_thread_pid, task_signal, task_parent;
	u32 signal_process; /* pids[PIDTYPE_TGID] */
	u32 pid_level, pid_numbers, number_bytes, number_namespace;
	u32 namespace_inode, inode;
};

extern const struct dt_pid_layout dt_pid_layout;

/* Namespaces nest no deeper (MAX_PID_NS_LEVEL). */
#define DT_PID_LEVELS 32

/*
 * dt_own_number - number of a thread, or of its process, in dtrace's pid namespace.
 *
 * In:       task, address of the thread; process, 0 or 1.
 * Out:      0: it has none, because it is in another namespace that is not below dtrace's.
 */
DT_FUNC u32 dt_own_number(u64 task, u32 process)
{
	const struct dt_pid_layout *at = &dt_pid_layout;
	u64 pid = 0, signal = 0;
	u32 level = 0;

	if (process) {
		bpf_probe_read_kernel(&signal, sizeof(signal), (void *)(task + at->task_signal));
		bpf_probe_read_kernel(&pid, sizeof(pid), (void *)(signal + at->signal_process));
	} else {
		bpf_probe_read_kernel(&pid, sizeof(pid), (void *)(task + at->task_thread_pid));
	}
	bpf_probe_read_kernel(&level, sizeof(level), (void *)(pid + at->pid_level));
	/* numbers[i] is the number at nesting level i. */
	for (u32 i = 0; i <= DT_PID_LEVELS; i++) {
		u64 number = pid + at->pid_numbers + i * at->number_bytes, namespace = 0;
		u32 inode = 0, value = 0;

		if (i > level)
			break;
		bpf_probe_read_kernel(&namespace, sizeof(namespace), (void *)(number + at->number_namespace));
		bpf_probe_read_kernel(&inode, sizeof(inode), (void *)(namespace + at->namespace_inode));
		if (inode != at->inode)
			continue;
		bpf_probe_read_kernel(&value, sizeof(value), (void *)number); /* struct upid begins with it */
		return value;
	}
	return 0;
}

/* Families of processes by number in dtrace's pid namespace; changed by programs/family_watch.c. */
DT_FAMILY_MAP(dt_family);

/*
 * dt_in_family - is the current process in a family?
 *
 * In:       task, address of the current thread; family, its number from 1.
 */
DT_FUNC int dt_in_family(u64 task, u32 family)
{
	u32 number = dt_pid_layout.inode ? dt_own_number(task, 1) : bpf_get_current_pid_tgid() >> 32;
	u64 *families = bpf_map_lookup_elem(&dt_family, &number);

	return families && (*families >> ((family - 1) & 63) & 1);
}

/*
 * dt_image - mark of the program that a thread executes (dt_image_mark()); 0: it has none, it is the kernel's.
 *
 * In:       mm_struct.start_stack and mm_struct.start_code of the thread; 0 without a mm_struct.
 */
DT_FUNC u32 dt_image(u64 stack_start, u64 code_start)
{
	return stack_start ? dt_image_mark(stack_start, code_start) : 0;
}

/*
 * dt_innermost_number - number of a thread, or of its process, in the innermost pid namespace that it is in.
 *
 * In:       task, address of the thread; process, 0 or 1.
 * Out:      0: it has none any more.
 */
DT_FUNC u32 dt_innermost_number(u64 task, u32 process)
{
	const struct dt_pid_layout *at = &dt_pid_layout;
	u64 pid = 0, signal = 0;
	u32 level = 0, value = 0;

	if (process) {
		bpf_probe_read_kernel(&signal, sizeof(signal), (void *)(task + at->task_signal));
		bpf_probe_read_kernel(&pid, sizeof(pid), (void *)(signal + at->signal_process));
	} else {
		bpf_probe_read_kernel(&pid, sizeof(pid), (void *)(task + at->task_thread_pid));
	}
	bpf_probe_read_kernel(&level, sizeof(level), (void *)(pid + at->pid_level));
	/* struct upid begins with the number */
	bpf_probe_read_kernel(&value, sizeof(value), (void *)(pid + at->pid_numbers + (u64)level * at->number_bytes));
	return value;
}

/* dt_own_progenyof - dt_progenyof() by numbers of dtrace's pid namespace. */
DT_FUNC int dt_own_progenyof(u64 task, u32 wanted)
{
	for (u32 i = 0; i < DT_ANCESTORS; i++) {
		u64 above = 0;

		if (dt_own_number(task, 1) == wanted)
			return 1;
		bpf_probe_read_kernel(&above, sizeof(above), (void *)(task + dt_pid_layout.task_parent));
		if (above == 0 || above == task)
			return 0;
		task = above;
	}
	return 0;
}

/* The most that chill() may take of a second, as everywhere in DTrace. */
#define DT_CHILL_MAX_NS 500000000ull

static long chill_step(u32 index, u64 *until)
{
	return bpf_ktime_get_ns() >= *until;
}

struct dt_chill {
	u64 second; /* begin of the second that `spent` counts for */
	u64 spent;  /* ns */
	u64 pad[6];
};

/*
 * dt_chill - spins for `ns`.
 *
 * In:       states, per-CPU array of struct dt_chill.
 * Out:      0; -1: more than DT_CHILL_MAX_NS within a second on this CPU, and nothing was done.
 */
DT_FUNC int dt_chill(void *states, u64 ns)
{
	u32 key = 0;
	struct dt_chill *state = bpf_map_lookup_elem(states, &key);
	u64 now = bpf_ktime_get_ns(), until;

	if (!state)
		return 0;
	if (now - state->second > 1000000000ull) {
		state->second = now;
		state->spent = 0;
	}
	if (ns > DT_CHILL_MAX_NS || state->spent + ns > DT_CHILL_MAX_NS)
		return -1;
	state->spent += ns;
	until = now + ns;
	/* 8 million clock readings take more than the longest chill. */
	bpf_loop(1 << 23, chill_step, &until, 0);
	return 0;
}
