// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * stack.bpf.c - questions about stacks that were taken.
 */
#include "loop.bpf.h"

/* ---- depth: loop.a the addresses; result how many there are so far ---- */

DT_BODY(count_frame)
{
	u64 offset = dt_opaque(slot->loop.a + sizeof(u64) * index);

	if (offset > dt_slot_bytes - sizeof(u64))
		return 1;
	if (*(u64 *)((u8 *)slot + offset) == 0)
		return 1;
	slot->loop.result++;
	return 0;
}

/*
 * dt_stack_depth - how many frames there are before the first whose address is 0.
 *
 * In:       frames, offset of `most` addresses in the slot.
 */
DT_FUNC u32 dt_stack_depth(struct dt_slot *slot, u32 frames, u32 most)
{
	slot->loop.a = frames;
	slot->loop.result = 0;
	dt_repeat(most, count_frame, slot);
	return slot->loop.result;
}
