// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * task.bpf.c - questions about threads, and waiting on purpose.
 */
#include "dt_bpf.h"

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
