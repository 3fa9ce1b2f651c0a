// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * speculate.bpf.c - the states of speculations. What is committed or discarded is free again at once: see dt_speculation.h.
 */
#include "dt_bpf.h"
#include "dt_speculation.h"

extern struct dt_control dt_control;

/*
 * dt_speculation_start - takes an idle slot.
 *
 * In:       map, array of struct dt_speculation; count, slots 1..count, constant.
 * Out:      the id; 0: all active.
 */
DT_FUNC int dt_speculation_start(void *map, u32 count)
{
	for (u32 slot = 1; slot <= DT_MAX_SPECULATIONS; slot++) {
		u32 key = slot, state;
		struct dt_speculation *speculation;

		if (slot > count)
			break;
		speculation = bpf_map_lookup_elem(map, &key);
		if (!speculation)
			break;
		state = *(volatile u32 *)&speculation->state;
		if (state & 1 || __sync_val_compare_and_swap(&speculation->state, state, state | 1) != state)
			continue;
		speculation->bytes = 0;
		return slot | (state >> 1) << DT_SPEC_SLOT_BITS;
	}
	return 0;
}

/*
 * speculation_of - the buffer of an id in use.
 *
 * Out:      map value; NULL: there is no such slot. state: what it has while that use is active.
 */
DT_INLINE struct dt_speculation *speculation_of(void *map, u32 id, u32 *state)
{
	u32 slot = DT_SPEC_SLOT(id);

	*state = DT_SPEC_USE(id) << 1 | 1;
	if (slot == 0)
		return NULL;
	return bpf_map_lookup_elem(map, &slot);
}

/*
 * dt_speculate - may a record of `bytes` go into speculation `id`?
 *
 * Out:      1: yes; 0: not an active id; -1: its buffer is full.
 */
DT_FUNC int dt_speculate(void *map, u32 id, u64 bytes, u64 limit)
{
	u32 state;
	struct dt_speculation *speculation = speculation_of(map, id, &state);

	if (!speculation || *(volatile u32 *)&speculation->state != state)
		return 0;
	if (__sync_fetch_and_add(&speculation->bytes, bytes) + bytes > limit) {
		__sync_fetch_and_add(&speculation->bytes, -bytes);
		return -1;
	}
	/* If it was settled meanwhile, it may have been as one without records. Its bytes are the next use's by now. */
	return *(volatile u32 *)&speculation->state == state;
}

/*
 * dt_speculation_settle - an active id is committed or discarded; its slot is idle, and its next use another one.
 *
 * Out:      1, or 0 if `id` was not active.
 */
DT_FUNC int dt_speculation_settle(void *map, u32 id)
{
	u32 state;
	struct dt_speculation *speculation = speculation_of(map, id, &state);
	u32 next = DT_SPEC_IDLE_AFTER(state >> 1);

	if (!speculation)
		return 0;
	return __sync_val_compare_and_swap(&speculation->state, state, next) == state;
}

/*
 * dt_speculation_commit_unheard - an active id is committed, but no record can tell the consumer: its slot does, if there are
 * records in it.
 *
 * Out:      1, or 0 if `id` was not active.
 */
DT_FUNC int dt_speculation_commit_unheard(void *map, u32 id)
{
	u32 state;
	struct dt_speculation *speculation = speculation_of(map, id, &state);

	if (!speculation || __sync_val_compare_and_swap(&speculation->state, state, state | DT_SPEC_SETTLING) != state)
		return 0;
	if (__sync_fetch_and_add(&speculation->bytes, 0) == 0) {
		*(volatile u32 *)&speculation->state = DT_SPEC_IDLE_AFTER(state >> 1);
		return 1;
	}
	*(volatile u32 *)&speculation->state = state | DT_SPEC_UNHEARD;
	__sync_fetch_and_add(&dt_control.nr_unheard, 1);
	return 1;
}
