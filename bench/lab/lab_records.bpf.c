// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * What a record costs, by the kind of ring and of wake-up; and what a stack costs as a key.
 */
#include "lab.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* d. records */

struct rec {
	__u64 w[6];
};
struct rb_inner {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 16);
	__type(key, __u32);
	__array(values, struct rb_inner);
} rings SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
} ring SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} perf SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rec);
} recs SEC(".maps");

volatile __u64 watermark = 1 << 20;

static __always_inline void fill(struct rec *r)
{
	r->w[0] = 1;
	r->w[1] = 2;
	r->w[2] = 3;
	r->w[3] = 4;
	r->w[4] = 5;
	r->w[5] = 6;
}

#define RING_HEAD(ctx)                             \
	__u32 cpu = bpf_get_smp_processor_id();    \
	struct rec *r;                             \
	void *rb;                                  \
	if (ctx->args[1] != wanted_nr)             \
		return 0;                          \
	rb = bpf_map_lookup_elem(&rings, &cpu);    \
	if (!rb)                                   \
		return 0;                          \
	r = bpf_ringbuf_reserve(rb, sizeof *r, 0); \
	if (!r) {                                  \
		__sync_fetch_and_add(&lost, 1);    \
		return 0;                          \
	}                                          \
	fill(r);

SEC("raw_tp/sys_enter") int d_percpu_adaptive(struct bpf_raw_tracepoint_args *ctx)
{
	RING_HEAD(ctx)
	bpf_ringbuf_submit(r, 0);
	return 0;
}
SEC("raw_tp/sys_enter") int d_percpu_nowakeup(struct bpf_raw_tracepoint_args *ctx)
{
	RING_HEAD(ctx)
	bpf_ringbuf_submit(r, BPF_RB_NO_WAKEUP);
	return 0;
}
SEC("raw_tp/sys_enter") int d_percpu_watermark(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 avail;
	RING_HEAD(ctx)
	avail = bpf_ringbuf_query(rb, BPF_RB_AVAIL_DATA);
	bpf_ringbuf_submit(r, avail >= watermark ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP);
	return 0;
}
SEC("raw_tp/sys_enter") int d_percpu_force(struct bpf_raw_tracepoint_args *ctx)
{
	RING_HEAD(ctx)
	bpf_ringbuf_submit(r, BPF_RB_FORCE_WAKEUP);
	return 0;
}
SEC("raw_tp/sys_enter") int d_percpu_discard(struct bpf_raw_tracepoint_args *ctx)
{
	RING_HEAD(ctx)
	bpf_ringbuf_discard(r, BPF_RB_NO_WAKEUP);
	return 0;
}
/* wake when the count of records in this CPU's own counter passes a step: no query helper */
SEC("raw_tp/sys_enter") int d_percpu_counted(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 z = 1;
	__u64 *n;
	RING_HEAD(ctx)
	n = bpf_map_lookup_elem(&pcpu, &z);
	bpf_ringbuf_submit(r, n && (++*n & 8191) == 0 ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP);
	return 0;
}
SEC("raw_tp/sys_enter") int d_shared_nowakeup(struct bpf_raw_tracepoint_args *ctx)
{
	struct rec *r;
	if (ctx->args[1] != wanted_nr)
		return 0;
	r = bpf_ringbuf_reserve(&ring, sizeof *r, 0);
	if (!r) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	fill(r);
	bpf_ringbuf_submit(r, BPF_RB_NO_WAKEUP);
	return 0;
}
SEC("raw_tp/sys_enter") int d_shared_adaptive(struct bpf_raw_tracepoint_args *ctx)
{
	struct rec *r;
	if (ctx->args[1] != wanted_nr)
		return 0;
	r = bpf_ringbuf_reserve(&ring, sizeof *r, 0);
	if (!r) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	fill(r);
	bpf_ringbuf_submit(r, 0);
	return 0;
}
SEC("raw_tp/sys_enter") int d_percpu_output(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct rec r;
	void *rb;
	if (ctx->args[1] != wanted_nr)
		return 0;
	rb = bpf_map_lookup_elem(&rings, &cpu);
	if (!rb)
		return 0;
	fill(&r);
	if (bpf_ringbuf_output(rb, &r, sizeof r, BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&lost, 1);
	return 0;
}
SEC("raw_tp/sys_enter") int d_perf(struct bpf_raw_tracepoint_args *ctx)
{
	struct rec r;
	if (ctx->args[1] != wanted_nr)
		return 0;
	fill(&r);
	if (bpf_perf_event_output(ctx, &perf, BPF_F_CURRENT_CPU, &r, sizeof r))
		__sync_fetch_and_add(&lost, 1);
	return 0;
}

/* g. stacks */

struct ks160 {
	__u64 ip[20];
};
struct us800 {
	__u64 ip[101];
};
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__type(key, struct ks160);
	__type(value, __u64);
} g_k160 SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__type(key, struct us800);
	__type(value, __u64);
} g_k800 SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__type(key, __u32);
	__type(value, __u64);
} g_id SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, 4);
	__uint(value_size, 8 * 20);
} g_stacks20 SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, 4);
	__uint(value_size, 8 * 100);
} g_stacks100 SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct us800);
} g_scratch SEC(".maps");

struct ukey {
	__u64 h;
	__u64 pid;
};
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__type(key, struct ukey);
	__type(value, __u64);
} g_hashed SEC(".maps");

#define BUMP_KEY(map, keyp)                                                 \
	do {                                                                \
		__u64 one = 1, *v = bpf_map_lookup_elem(&map, keyp);        \
		if (v)                                                      \
			*v += 1;                                            \
		else                                                        \
			bpf_map_update_elem(&map, keyp, &one, BPF_NOEXIST); \
	} while (0)

SEC("raw_tp/sys_enter") int g_stack_get_only(struct bpf_raw_tracepoint_args *ctx)
{
	struct ks160 k;
	long n;
	if (ctx->args[1] != wanted_nr)
		return 0;
	n = bpf_get_stack(ctx, &k, sizeof k, 0);
	sink = n;
	return 0;
}
SEC("raw_tp/sys_enter") int g_stack_key160(struct bpf_raw_tracepoint_args *ctx)
{
	struct ks160 k;
	long n;
	if (ctx->args[1] != wanted_nr)
		return 0;
	n = bpf_get_stack(ctx, &k, sizeof k, 0); /* the helper clears what it does not fill */
	if (n < 0)
		return 0;
	BUMP_KEY(g_k160, &k);
	return 0;
}
SEC("raw_tp/sys_enter") int g_stack_id(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 id;
	if (ctx->args[1] != wanted_nr)
		return 0;
	id = bpf_get_stackid(ctx, &g_stacks20, 0);
	BUMP_KEY(g_id, &id);
	return 0;
}
/* from the perf tracepoint the unwinder starts outside of the BPF program: fewer frames */
SEC("tracepoint/syscalls/sys_enter_sched_get_priority_max") int g_stack_id_perf(void *ctx)
{
	__u32 id = bpf_get_stackid(ctx, &g_stacks20, 0);

	BUMP_KEY(g_id, &id);
	return 0;
}
SEC("tracepoint/syscalls/sys_enter_sched_get_priority_max") int g_ustack_id_perf(void *ctx)
{
	__u32 id = bpf_get_stackid(ctx, &g_stacks100, BPF_F_USER_STACK);

	BUMP_KEY(g_id, &id);
	return 0;
}
SEC("raw_tp/sys_enter") int g_stack_id_fast(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 id;
	if (ctx->args[1] != wanted_nr)
		return 0;
	id = bpf_get_stackid(ctx, &g_stacks20, BPF_F_FAST_STACK_CMP);
	BUMP_KEY(g_id, &id);
	return 0;
}
SEC("raw_tp/sys_enter") int g_stack_ownhash(struct bpf_raw_tracepoint_args *ctx)
{
	struct ks160 k;
	struct ukey key;
	long n;
	__u64 h = 0;
	if (ctx->args[1] != wanted_nr)
		return 0;
	n = bpf_get_stack(ctx, &k, sizeof k, 0);
	if (n < 0)
		return 0;
	n >>= 3;
	for (int i = 0; i < 20; i++) {
		if (i >= n)
			break;
		h = (h ^ k.ip[i]) * 0x9E3779B97F4A7C15ull;
	}
	key.h = h;
	key.pid = 0;
	BUMP_KEY(g_hashed, &key);
	return 0;
}
SEC("raw_tp/sys_enter") int g_ustack_get_only(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 z = 0;
	struct us800 *k;
	if (ctx->args[1] != wanted_nr)
		return 0;
	k = bpf_map_lookup_elem(&g_scratch, &z);
	if (!k)
		return 0;
	sink = bpf_get_stack(ctx, k->ip, 800, BPF_F_USER_STACK);
	return 0;
}
SEC("raw_tp/sys_enter") int g_ustack_key800(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 z = 0;
	struct us800 *k;
	if (ctx->args[1] != wanted_nr)
		return 0;
	k = bpf_map_lookup_elem(&g_scratch, &z);
	if (!k)
		return 0;
	k->ip[100] = bpf_get_current_pid_tgid() >> 32;
	if (bpf_get_stack(ctx, k->ip, 800, BPF_F_USER_STACK) < 0)
		return 0;
	BUMP_KEY(g_k800, k);
	return 0;
}
SEC("raw_tp/sys_enter") int g_ustack_id(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 id;
	if (ctx->args[1] != wanted_nr)
		return 0;
	id = bpf_get_stackid(ctx, &g_stacks100, BPF_F_USER_STACK);
	BUMP_KEY(g_id, &id);
	return 0;
}
SEC("raw_tp/sys_enter") int g_ustack_id_fast(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 id;
	if (ctx->args[1] != wanted_nr)
		return 0;
	id = bpf_get_stackid(ctx, &g_stacks100, BPF_F_USER_STACK | BPF_F_FAST_STACK_CMP);
	BUMP_KEY(g_id, &id);
	return 0;
}
/* own hash of the frames as the key: stack bytes are stored once per new stack */
SEC("raw_tp/sys_enter") int g_ustack_ownhash(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 z = 0;
	struct us800 *k;
	struct ukey key;
	long n;
	__u64 h = 0;
	if (ctx->args[1] != wanted_nr)
		return 0;
	k = bpf_map_lookup_elem(&g_scratch, &z);
	if (!k)
		return 0;
	n = bpf_get_stack(ctx, k->ip, 800, BPF_F_USER_STACK);
	if (n < 0)
		return 0;
	n >>= 3;
	for (int i = 0; i < 100; i++) {
		if (i >= n)
			break;
		h = (h ^ k->ip[i]) * 0x9E3779B97F4A7C15ull;
	}
	key.h = h;
	key.pid = bpf_get_current_pid_tgid() >> 32;
	BUMP_KEY(g_hashed, &key);
	return 0;
}
