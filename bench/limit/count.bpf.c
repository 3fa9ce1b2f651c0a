// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * The limit for aggregations without keys: count(), sum(arg0), quantize(arg0), a false predicate, and what a system
 * call pays that nobody asked about. A per-CPU array is an inlined look-up; BTF tracepoints read pt_regs directly,
 * where a raw tracepoint must call a probe read (22 ns).
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
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct quantize_value);
} histogram SEC(".maps");

static __always_inline void add(u64 n)
{
	u32 zero = 0;
	u64 *value = bpf_map_lookup_elem(&total, &zero);

	if (value)
		*value += n;
}

SEC("raw_tp/sys_enter")
int count(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] == traced_nr)
		add(1);
	return 0;
}

SEC("tp_btf/sys_enter")
int count_btf(u64 *ctx)
{
	if (ctx[1] == traced_nr)
		add(1);
	return 0;
}

SEC("tp_btf/sys_enter")
int sum(u64 *ctx)
{
	struct pt_regs *regs = (struct pt_regs *)ctx[0];

	if (ctx[1] == traced_nr)
		add(PT_REGS_PARM1_SYSCALL(regs));
	return 0;
}

SEC("tp_btf/sys_enter")
int quantize(u64 *ctx)
{
	struct pt_regs *regs = (struct pt_regs *)ctx[0];
	struct quantize_value *value;
	u32 zero = 0, bucket;

	if (ctx[1] != traced_nr)
		return 0;
	value = bpf_map_lookup_elem(&histogram, &zero);
	if (!value)
		return 0;
	bucket = quantize_bucket(PT_REGS_PARM1_SYSCALL(regs));
	if (bucket < QUANTIZE_BUCKETS)
		value->buckets[bucket] += 1;
	return 0;
}

/* /pid == 1/ { @ = count(); } */
SEC("tp_btf/sys_enter")
int predicate(u64 *ctx)
{
	if (ctx[1] != traced_nr)
		return 0;
	if (current_task()->tgid == 1)
		add(1);
	return 0;
}
