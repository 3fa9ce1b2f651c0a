// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/* The limit for bench*:::step { @ = count(); }: libbpf finds the site, the program reads no argument. */
#include <stdbool.h>

#include "limit.bpf.h"
#include <bpf/usdt.bpf.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} total SEC(".maps");

SEC("usdt")
int usdt_count(struct pt_regs *ctx)
{
	u32 zero = 0;
	u64 *value = bpf_map_lookup_elem(&total, &zero);

	if (value)
		__sync_fetch_and_add(value, 1);
	return 0;
}
