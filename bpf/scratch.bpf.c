// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * scratch.bpf.c - claiming working memory, and counting what is lost.
 *
 * A program can be interrupted on its CPU by another (a clock event within a tracepoint), and a uprobe's program can be
 * preempted by another task's. So a CPU's memory is not ours by being on that CPU: it is claimed slot by slot, unless
 * each program has a slot of its own and none runs twice on a CPU.
 */
#include "dt_bpf.h"
#include "dt_slot.h"

/*
 * dt_scratch_claim - takes a free slot of a CPU.
 *
 * In:       slots, array of struct dt_slot and more, of this CPU if it is per CPU, else of all; first, index of the CPU's
 *           first slot; count, slots a CPU, constant.
 * Out:      map value, the slot; NULL if all are busy.
 * Cost:     one array lookup and one cmpxchg if the first is free.      Context: any, NMI included.
 */
DT_API void *dt_scratch_claim(void *slots, u32 first, u32 count)
{
	for (u32 i = 0; i < 8; i++) {
		u32 index = first + i;
		struct dt_slot *slot;

		if (i == count)
			break;
		slot = bpf_map_lookup_elem(slots, &index);
		if (!slot)
			return NULL;
		if (__sync_val_compare_and_swap(&slot->busy, 0, 1) == 0) {
			slot->base = (u64)slot;
			slot->token = 0;
			return slot;
		}
	}
	return NULL;
}

/*
 * dt_scratch_own - a slot that is this program's alone, and need not be given back.
 *
 * In:       slots, as dt_scratch_claim(); index of the slot.
 * Out:      map value; NULL only for the verifier.
 */
DT_API void *dt_scratch_own(void *slots, u32 index)
{
	struct dt_slot *slot = bpf_map_lookup_elem(slots, &index);

	if (!slot)
		return NULL;
	slot->base = (u64)slot;
	slot->token = 0;
	return slot;
}

/*
 * dt_scratch_release - gives a slot back. The compiler must not move earlier accesses past it.
 */
DT_API void dt_scratch_release(void *memory)
{
	struct dt_slot *slot = memory;

	barrier();
	*(volatile u32 *)&slot->busy = 0;
}

/*
 * dt_count_drop - counts one loss.
 *
 * In:       drops, per-CPU array of u64; index, cause * clauses + clause.
 */
DT_FUNC void dt_count_drop(void *drops, u32 index)
{
	u64 *count = bpf_map_lookup_elem(drops, &index);

	if (count)
		__sync_fetch_and_add(count, 1);
}

/*
 * dt_count_cut - counts a string that was read up to its size, if it goes on behind that.
 *
 * In:       drops, index: as above; last, address of the character that gave way to the NUL; user, 1: a process's, 0: the
 *           kernel's.
 */
DT_FUNC void dt_count_cut(void *drops, u32 index, u64 last, u32 user)
{
	u8 byte = 0;
	long error = user ? bpf_probe_read_user(&byte, 1, (void *)last) : bpf_probe_read_kernel(&byte, 1, (void *)last);

	if (error || byte)
		dt_count_drop(drops, index);
}

/*
 * dt_report_fault - tells the consumer of a fault.
 *
 * In:       ring, of this CPU or NULL; what the record holds.
 * Out:      0, or -1 if there was no room.
 */
DT_FUNC int dt_report_fault(void *ring, u64 clause_and_probe, u64 time, u32 kind, u64 address)
{
	struct dt_fault_record *record;

	if (!ring)
		return -1;
	record = bpf_ringbuf_reserve(ring, sizeof(*record), 0);
	if (!record)
		return -1;
	record->head.clause = DT_RECORD_FAULT;
	record->head.probe = (u32)clause_and_probe;
	record->head.time = time;
	record->clause = clause_and_probe >> 32;
	record->kind = kind;
	record->address = address;
	record->pc = 0xffffffff;
	record->pad = 0;
	bpf_ringbuf_submit(record, BPF_RB_FORCE_WAKEUP);
	return 0;
}
