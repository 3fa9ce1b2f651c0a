// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * speculate.bpf.c - the states of speculations. Only the consumer makes one idle again, when it has dealt with its records.
 */
#include "dt_bpf.h"

/*
 * dt_speculation_start - takes an idle id.
 *
 * In:       map, array of struct dt_speculation; count, ids 1..count, constant.
 * Out:      the id; 0: all active; -1: none idle, but some are being committed or discarded.
 */
DT_FUNC int dt_speculation_start(void *map, u32 count)
{
	int busy = 0;

	for (u32 id = 1; id <= DT_MAX_SPECULATIONS; id++) {
		u32 key = id, state;
		struct dt_speculation *speculation;

		if (id > count)
			break;
		speculation = bpf_map_lookup_elem(map, &key);
		if (!speculation)
			break;
		state = __sync_val_compare_and_swap(&speculation->state, DT_SPEC_IDLE, DT_SPEC_ACTIVE);
		if (state == DT_SPEC_IDLE) {
			speculation->bytes = 0;
			return id;
		}
		busy |= state != DT_SPEC_ACTIVE;
	}
	return busy ? -1 : 0;
}

/*
 * dt_speculate - may a record of `bytes` go into speculation `id`?
 *
 * Out:      1: yes; 0: not an active id; -1: its buffer is full.
 */
DT_FUNC int dt_speculate(void *map, u32 id, u64 bytes, u64 limit)
{
	struct dt_speculation *speculation;

	if (id == 0)
		return 0;
	speculation = bpf_map_lookup_elem(map, &id);
	if (!speculation || *(volatile u32 *)&speculation->state != DT_SPEC_ACTIVE)
		return 0;
	if (__sync_fetch_and_add(&speculation->bytes, bytes) + bytes > limit) {
		__sync_fetch_and_add(&speculation->bytes, -bytes);
		return -1;
	}
	return 1;
}

/*
 * dt_speculation_settle - an active id begins to be committed or discarded.
 *
 * Out:      1, or 0 if `id` was not active.
 */
DT_FUNC int dt_speculation_settle(void *map, u32 id, u32 state)
{
	struct dt_speculation *speculation;

	if (id == 0)
		return 0;
	speculation = bpf_map_lookup_elem(map, &id);
	if (!speculation)
		return 0;
	return __sync_val_compare_and_swap(&speculation->state, DT_SPEC_ACTIVE, state) == DT_SPEC_ACTIVE;
}
