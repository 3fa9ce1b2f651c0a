// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * log.bpf.c - the last records of each CPU, kept here until tracing ends (option bufpolicy=ring).
 *
 * A writer can be interrupted, or preempted, for longer than the others need to go all the way round. A slot that is being
 * written is therefore passed over: the record in it stays whole, and so do theirs.
 */
#include "dt_bpf.h"

extern struct dt_control dt_control;

/* More writers than these cannot be under way on one CPU: clock event in tracepoint in uprobe, and preempted uprobes. */
#define DT_TRIES 8

/*
 * dt_log_reserve - takes the slot whose turn it is.
 *
 * In:       logs, array of maps by CPU; heads, per-CPU array of one u64; cpu, the current one.
 * Out:      where the record goes; NULL: all that were tried are being written.
 * Cost:     three lookups and two atomic operations if no other program writes.      Context: any, NMI included.
 */
DT_FUNC void *dt_log_reserve(void *logs, void *heads, u32 cpu)
{
	u32 zero = 0;
	u64 *head = bpf_map_lookup_elem(heads, &zero);
	void *log = bpf_map_lookup_elem(logs, &cpu);
	u32 slots = dt_control.log_slots;

	if (!head || !log || !slots)
		return NULL;
	for (u32 i = 0; i < DT_TRIES; i++) {
		u64 number = __sync_fetch_and_add(head, 1);
		u32 index = number % slots;
		struct dt_log_slot *slot = bpf_map_lookup_elem(log, &index);

		if (!slot)
			return NULL;
		if (__sync_val_compare_and_swap(&slot->busy, 0, 1) == 0) {
			slot->number = number + 1;
			return slot + 1;
		}
	}
	return NULL;
}

/*
 * dt_log_release - ends the writing of a record. The compiler must not move earlier accesses past it.
 *
 * In:       record, from dt_log_reserve().
 */
DT_API void dt_log_release(void *record)
{
	struct dt_log_slot *slot = record - sizeof(*slot);

	barrier();
	*(volatile u32 *)&slot->busy = 0;
}

/*
 * dt_log_give_up - the same for what is no record after all.
 *
 * In:       heads, as above; record, from dt_log_reserve().
 * Note:     the record that was there before is gone, the oldest one. Unless somebody has taken a slot meanwhile, it is
 *           this one's turn again, so that the next record leaves no gap; the consumer counts the gaps that remain.
 */
DT_API void dt_log_give_up(void *heads, void *record)
{
	struct dt_log_slot *slot = record - sizeof(*slot);
	u64 number = slot->number;
	u32 zero = 0;
	u64 *head = bpf_map_lookup_elem(heads, &zero);

	slot->number = 0;
	barrier();
	*(volatile u32 *)&slot->busy = 0;
	if (head)
		__sync_val_compare_and_swap(head, number, number - 1);
}
