// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * The limit for fbt:::entry { @ = count(); }: one program on every kernel function. And what reads the landing marks before
 * the tracer's calls: the kernel finds a cookie only by where the function begins.
 */
#include "limit.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} total SEC(".maps");

SEC("kprobe.multi")
int function(void *ctx)
{
	u32 zero = 0;
	u64 *value = bpf_map_lookup_elem(&total, &zero);

	if (value)
		*value += 1;
	return 0;
}

u64 next;
u64 places[1 << 16]; /* of calls; then the four bytes before them */

SEC("socket")
int marks(void *ctx)
{
	u64 i = next++;
	u32 code = 0;

	if (i < 1 << 16) {
		bpf_probe_read_kernel(&code, sizeof(code), (void *)places[i] - 4);
		places[i] = code;
	}
	return 0;
}
