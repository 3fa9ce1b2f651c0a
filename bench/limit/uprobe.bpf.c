// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * The limit for pid$target:::entry { @ = count(); } and the latency of a user function. The two programs of the pair
 * share task storage; a session program would be cheaper still, where the kernel and libbpf have it.
 */
#include "limit.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} total SEC(".maps");

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

/* The program may be preempted, but not moved: the increment may race with another task's on this CPU. */
SEC("uprobe.multi")
int uprobe_count(void *ctx)
{
	u32 zero = 0;
	u64 *value = bpf_map_lookup_elem(&total, &zero);

	if (value)
		__sync_fetch_and_add(value, 1);
	return 0;
}

SEC("uprobe.multi")
int uprobe_entry(void *ctx)
{
	u64 *start = bpf_task_storage_get(&entered, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (start)
		*start = bpf_ktime_get_ns();
	else
		count_lost();
	return 0;
}

SEC("uretprobe.multi")
int uprobe_return(void *ctx)
{
	u64 *start = bpf_task_storage_get(&entered, bpf_get_current_task_btf(), 0, 0);
	struct quantize_value *value;
	u32 zero = 0, bucket;

	if (!start || !*start)
		return 0;
	value = bpf_map_lookup_elem(&histogram, &zero);
	if (!value)
		return 0;
	bucket = quantize_bucket(bpf_ktime_get_ns() - *start);
	if (bucket < QUANTIZE_BUCKETS)
		__sync_fetch_and_add(&value->buckets[bucket], 1);
	*start = 0;
	return 0;
}
