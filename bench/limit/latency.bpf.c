// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * The limit for the latency script: self->t = timestamp at entry, quantize(timestamp - self->t) at return. Task storage
 * is never deleted, only set to zero: create and delete cost a microsecond.
 */
#include "limit.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u64);
} entered SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct quantize_value);
} histogram SEC(".maps");

SEC("tp_btf/sys_enter")
int latency_entry(u64 *ctx)
{
	u64 *start;

	if (ctx[1] != traced_nr)
		return 0;
	start = bpf_task_storage_get(&entered, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!start) {
		count_lost();
		return 0;
	}
	*start = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sys_exit")
int latency_return(u64 *ctx)
{
	struct pt_regs *regs = (struct pt_regs *)ctx[0];
	struct quantize_value *value;
	u32 zero = 0, bucket;
	u64 *start;

	/* Elsewhere the value left at entry is the only test; it is right too, and dearer for other calls. */
#ifdef __TARGET_ARCH_x86
	if (regs->orig_rax != traced_nr)
		return 0;
#endif
	start = bpf_task_storage_get(&entered, bpf_get_current_task_btf(), 0, 0);
	if (!start || !*start)
		return 0;
	value = bpf_map_lookup_elem(&histogram, &zero);
	if (!value)
		return 0;
	bucket = quantize_bucket(bpf_ktime_get_ns() - *start);
	if (bucket < QUANTIZE_BUCKETS)
		value->buckets[bucket] += 1;
	*start = 0;
	return 0;
}
