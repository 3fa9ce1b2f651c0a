// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * What single operations of a BPF program cost on the running kernel. Each program here is one case of lab.cpp,
 * which loads it alone, attaches it and times a loop of system calls. REP copies of an operation against one copy of
 * nothing give the cost of the operation itself: read those cases through lab's "per operation" column.
 */
#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define REP 16

struct task_struct {
	int pid;
	int tgid;
	char comm[16];
	struct task_struct *group_leader;
} __attribute__((preserve_access_index));

const volatile __u64 wanted_nr = 0;
const volatile __u32 nr_cpus = 2;
const volatile __u8 is_wanted[512] = {};
volatile __u64 state;		/* 1 while tracing: the global flag a generated program tests */
volatile __u64 sink;
const volatile __u64 user_address = 0;
__u64 lost;

#define TP_ENTER SEC("tp_btf/sys_enter") int
#define RAW_ENTER SEC("raw_tp/sys_enter") int

/* ---- a. single operations, REP times ---------------------------------------------------------------------------- */

#define MICRO(name, op)							\
	SEC("raw_tp/sys_enter") int name(struct bpf_raw_tracepoint_args *ctx)	\
	{								\
		__u64 acc = 0;						\
		if (ctx->args[1] != wanted_nr)				\
			return 0;					\
		_Pragma("unroll")					\
		for (int i = 0; i < REP; i++) {				\
			op;						\
		}							\
		sink = acc;						\
		return 0;						\
	}

MICRO(a_nothing, )
MICRO(a_ktime, acc += bpf_ktime_get_ns())
MICRO(a_ktime_boot, acc += bpf_ktime_get_boot_ns())
MICRO(a_task_btf, struct task_struct *t = (struct task_struct *)bpf_get_current_task_btf(); if (!t) acc++)
MICRO(a_task, acc += bpf_get_current_task())
MICRO(a_pid_tgid, acc += bpf_get_current_pid_tgid())
MICRO(a_task_btf_pid, acc += ((struct task_struct *)bpf_get_current_task_btf())->pid)
MICRO(a_uid_gid, acc += bpf_get_current_uid_gid())
MICRO(a_smp_id, acc += bpf_get_smp_processor_id())
MICRO(a_numa, acc += bpf_get_numa_node_id())
MICRO(a_prandom, acc += bpf_get_prandom_u32())

MICRO(a_comm, char c[16]; bpf_get_current_comm(c, 16); acc += c[i])
MICRO(a_comm_btf, struct task_struct *t = (struct task_struct *)bpf_get_current_task_btf();
	acc += ((volatile __u64 *)t->comm)[0] + ((volatile __u64 *)t->comm)[1])
MICRO(a_probe_read8, __u64 v = 0; bpf_probe_read_kernel(&v, 8, (void *)(ctx->args[0] + 8 * (i & 7))); acc += v)
MICRO(a_probe_read64, char v[64]; bpf_probe_read_kernel(v, 64, (void *)ctx->args[0]); acc += v[i])
MICRO(a_probe_read_user8, __u64 v = 0; bpf_probe_read_user(&v, 8, (void *)user_address); acc += v)
MICRO(a_probe_read_user_str14, char v[128]; bpf_probe_read_user_str(v, 128, (void *)user_address); acc += v[i])
MICRO(a_probe_read_user128, char v[128]; bpf_probe_read_user(v, 128, (void *)user_address); acc += v[i])

SEC("tp_btf/sys_enter") int a_tp_nothing(__u64 *ctx)
{
	if (ctx[1] != wanted_nr)
		return 0;
	sink = 0;
	return 0;
}

SEC("tp_btf/sys_enter") int a_direct8(__u64 *ctx)
{
	struct pt_regs *r = (struct pt_regs *)ctx[0];
	__u64 acc = 0;
	if (ctx[1] != wanted_nr)
		return 0;
#pragma unroll
	for (int i = 0; i < REP; i++)
		acc += ((volatile __u64 *)r)[i];
	sink = acc;
	return 0;
}

struct { __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY); __uint(max_entries, 4); __type(key, __u32); __type(value, __u64); } pcpu SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 64); __type(key, __u32); __type(value, __u64); } arr SEC(".maps");

SEC("raw_tp/sys_enter") int a_pcpu_lookup(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != wanted_nr)
		return 0;
#pragma unroll
	for (int i = 0; i < REP; i++) {
		__u32 k = i & 3;
		__u64 *v = bpf_map_lookup_elem(&pcpu, &k);
		if (v)
			*(volatile __u64 *)v += 1;
	}
	return 0;
}

SEC("raw_tp/sys_enter") int a_arr_lookup(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != wanted_nr)
		return 0;
#pragma unroll
	for (int i = 0; i < REP; i++) {
		__u32 k = i;
		__u64 *v = bpf_map_lookup_elem(&arr, &k);
		if (v)
			*(volatile __u64 *)v += 1;
	}
	return 0;
}

__u64 g_plain, g_atomic;
SEC("raw_tp/sys_enter") int a_add_plain(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != wanted_nr)
		return 0;
#pragma unroll
	for (int i = 0; i < REP; i++)
		*(volatile __u64 *)&g_plain += 1;
	return 0;
}

SEC("raw_tp/sys_enter") int a_add_atomic(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != wanted_nr)
		return 0;
#pragma unroll
	for (int i = 0; i < REP; i++)
		__sync_fetch_and_add(&g_atomic, 1);
	return 0;
}

SEC("raw_tp/sys_enter") int a_cmpxchg(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != wanted_nr)
		return 0;
#pragma unroll
	for (int i = 0; i < REP; i++)
		__sync_val_compare_and_swap(&g_atomic, i & 1, (i + 1) & 1);
	return 0;
}

static __attribute__((noinline)) int subprog(struct bpf_raw_tracepoint_args *ctx, __u64 x)
{
	return ctx->args[1] + x;
}

SEC("raw_tp/sys_enter") int a_subprog(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 acc = 0;
	if (ctx->args[1] != wanted_nr)
		return 0;
#pragma unroll
	for (int i = 0; i < REP; i++)
		acc += subprog(ctx, i);
	sink = acc;
	return 0;
}

/* ---- b. count() of one system call -------------------------------------------------------------------------------- */

static __always_inline void bump(void)
{
	__u32 k = 0;
	__u64 *v = bpf_map_lookup_elem(&pcpu, &k);
	if (v)
		*v += 1;
}

SEC("raw_tp/sys_enter") int b_raw(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] == wanted_nr)
		bump();
	return 0;
}

SEC("tp_btf/sys_enter") int b_btf(__u64 *ctx)
{
	if (ctx[1] == wanted_nr)
		bump();
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_sched_get_priority_max") int b_perf(void *ctx)
{
	bump();
	return 0;
}

/* table of wanted numbers in .rodata, and the state test */
SEC("raw_tp/sys_enter") int b_raw_table(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 nr = ctx->args[1];
	if (nr < 512 && is_wanted[nr])
		bump();
	return 0;
}

SEC("raw_tp/sys_enter") int b_raw_table_state(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 nr = ctx->args[1];
	if (nr >= 512 || !is_wanted[nr])
		return 0;
	if (!state)
		return 0;
	bump();
	return 0;
}

SEC("tp_btf/sys_enter") int b_btf_table_state(__u64 *ctx)
{
	__u64 nr = ctx[1];
	if (nr >= 512 || !is_wanted[nr])
		return 0;
	if (!state)
		return 0;
	bump();
	return 0;
}

/* count in a global array indexed by CPU, instead of a per-CPU map */
__u64 by_cpu[64 * 8];
SEC("raw_tp/sys_enter") int b_raw_global(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] == wanted_nr)
		by_cpu[(bpf_get_smp_processor_id() & 63) * 8] += 1;
	return 0;
}

/* with the claim of a scratch slot, and a nesting level kept in the per-CPU map */
SEC("raw_tp/sys_enter") int b_raw_atomic(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 k = 0;
	__u64 *v;
	if (ctx->args[1] != wanted_nr)
		return 0;
	v = bpf_map_lookup_elem(&pcpu, &k);
	if (v)
		__sync_fetch_and_add(v, 1);
	return 0;
}

SEC("raw_tp/sys_enter") int b_raw_untraced(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] == wanted_nr + 1)
		bump();
	return 0;
}
SEC("tp_btf/sys_enter") int b_btf_untraced(__u64 *ctx)
{
	if (ctx[1] == wanted_nr + 1)
		bump();
	return 0;
}
SEC("tracepoint/syscalls/sys_enter_sched_get_priority_min") int b_perf_untraced(void *ctx)
{
	bump();
	return 0;
}
SEC("raw_tp/sys_exit") int b_raw_exit_untraced(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] == 0xdeadbeef)
		bump();
	return 0;
}
SEC("tp_btf/sys_exit") int b_btf_exit_nr(__u64 *ctx)
{
	struct pt_regs *r = (struct pt_regs *)ctx[0];
	if (r->orig_rax == wanted_nr)
		bump();
	return 0;
}
SEC("raw_tp/sys_exit") int b_raw_exit_nr(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 nr;
	bpf_probe_read_kernel(&nr, 8, &((struct pt_regs *)ctx->args[0])->orig_rax);
	if (nr == wanted_nr)
		bump();
	return 0;
}

/* read of arg0 */
SEC("tp_btf/sys_enter") int b_btf_arg0(__u64 *ctx)
{
	struct pt_regs *r = (struct pt_regs *)ctx[0];
	__u32 k = 0;
	__u64 *v;
	if (ctx[1] != wanted_nr)
		return 0;
	v = bpf_map_lookup_elem(&pcpu, &k);
	if (v)
		*v += r->rdi;
	return 0;
}
SEC("raw_tp/sys_enter") int b_raw_arg0(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 a = 0;
	__u32 k = 0;
	__u64 *v;
	if (ctx->args[1] != wanted_nr)
		return 0;
	bpf_probe_read_kernel(&a, 8, &((struct pt_regs *)ctx->args[0])->rdi);
	v = bpf_map_lookup_elem(&pcpu, &k);
	if (v)
		*v += a;
	return 0;
}

/* ---- c. keyed aggregations ---------------------------------------------------------------------------------------- */

struct k4 { __u32 a; };
struct k20 { __u32 pid; char comm[16]; };
struct k168 { __u64 w[21]; };

#define HASH(name, ty, fl, k, n) \
	struct { __uint(type, ty); __uint(map_flags, fl); __uint(max_entries, n); __type(key, struct k); __type(value, __u64); } name SEC(".maps")

HASH(c4_pp, BPF_MAP_TYPE_PERCPU_HASH, 0, k4, 10240);
HASH(c4_pn, BPF_MAP_TYPE_PERCPU_HASH, BPF_F_NO_PREALLOC, k4, 10240);
HASH(c4_hp, BPF_MAP_TYPE_HASH, 0, k4, 10240);
HASH(c4_lru, BPF_MAP_TYPE_LRU_HASH, 0, k4, 10240);
HASH(c20_pp, BPF_MAP_TYPE_PERCPU_HASH, 0, k20, 10240);
HASH(c20_pn, BPF_MAP_TYPE_PERCPU_HASH, BPF_F_NO_PREALLOC, k20, 10240);
HASH(c20_hp, BPF_MAP_TYPE_HASH, 0, k20, 10240);
HASH(c20_lru, BPF_MAP_TYPE_LRU_HASH, 0, k20, 10240);
HASH(c20_plru, BPF_MAP_TYPE_LRU_PERCPU_HASH, 0, k20, 10240);
HASH(c168_pp, BPF_MAP_TYPE_PERCPU_HASH, 0, k168, 10240);
HASH(c168_pn, BPF_MAP_TYPE_PERCPU_HASH, BPF_F_NO_PREALLOC, k168, 10240);
HASH(c168_hp, BPF_MAP_TYPE_HASH, 0, k168, 10240);

#define INNER(name, k, fl) \
	struct name##_inner { __uint(type, BPF_MAP_TYPE_HASH); __uint(map_flags, fl); __uint(max_entries, 10240); \
		__type(key, struct k); __type(value, __u64); }; \
	struct { __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); __uint(max_entries, 16); __type(key, __u32); \
		__array(values, struct name##_inner); } name SEC(".maps")
INNER(c4_aom, k4, 0);
INNER(c20_aom, k20, 0);
INNER(c20_aomn, k20, BPF_F_NO_PREALLOC);
INNER(c168_aom, k168, 0);

volatile __u32 bank;

#define FILL_k4(key) struct k4 key = { .a = bpf_get_current_pid_tgid() }
#define FILL_k20(key) struct k20 key; key.pid = bpf_get_current_pid_tgid(); bpf_get_current_comm(key.comm, 16)
#define FILL_k168(key) struct k168 key; __builtin_memset(&key, 0, sizeof key); key.w[0] = bpf_get_current_pid_tgid(); key.w[20] = 7

#define KEYED(name, map, k, plus)						\
	SEC("raw_tp/sys_enter") int name(struct bpf_raw_tracepoint_args *ctx)	\
	{									\
		__u64 one = 1, *v;						\
		if (ctx->args[1] != wanted_nr)					\
			return 0;						\
		FILL_##k(key);							\
		v = bpf_map_lookup_elem(&map, &key);				\
		if (v) {							\
			plus;							\
		} else if (bpf_map_update_elem(&map, &key, &one, BPF_NOEXIST)) {	\
			__sync_fetch_and_add(&lost, 1);				\
		}								\
		return 0;							\
	}

KEYED(c_4_percpu_prealloc, c4_pp, k4, *v += 1)
KEYED(c_4_percpu_noprealloc, c4_pn, k4, *v += 1)
KEYED(c_4_hash_atomic, c4_hp, k4, __sync_fetch_and_add(v, 1))
KEYED(c_4_lru_atomic, c4_lru, k4, __sync_fetch_and_add(v, 1))
KEYED(c_20_percpu_prealloc, c20_pp, k20, *v += 1)
KEYED(c_20_percpu_noprealloc, c20_pn, k20, *v += 1)
KEYED(c_20_hash_atomic, c20_hp, k20, __sync_fetch_and_add(v, 1))
KEYED(c_20_lru_atomic, c20_lru, k20, __sync_fetch_and_add(v, 1))
KEYED(c_20_percpu_lru, c20_plru, k20, *v += 1)
KEYED(c_168_percpu_prealloc, c168_pp, k168, *v += 1)
KEYED(c_168_percpu_noprealloc, c168_pn, k168, *v += 1)
KEYED(c_168_hash_atomic, c168_hp, k168, __sync_fetch_and_add(v, 1))

SEC("raw_tp/sys_enter") int c_20_key_only(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != wanted_nr)
		return 0;
	FILL_k20(key);
	sink = key.pid + ((__u64 *)&key)[1] + ((__u32 *)&key)[4] ;
	return 0;
}

/* the same key with the name copied by two BTF loads */
SEC("raw_tp/sys_enter") int c_20_percpu_btfcomm(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 one = 1, *v;
	struct k20 key;
	struct task_struct *t;
	if (ctx->args[1] != wanted_nr)
		return 0;
	t = (struct task_struct *)bpf_get_current_task_btf();
	key.pid = t->pid;
	*(__u64 *)key.comm = *(volatile __u64 *)t->comm;
	*(__u64 *)(key.comm + 8) = *(volatile __u64 *)(t->comm + 8);
	v = bpf_map_lookup_elem(&c20_pp, &key);
	if (v)
		*v += 1;
	else if (bpf_map_update_elem(&c20_pp, &key, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&lost, 1);
	return 0;
}

#define KEYED_AOM(name, map, k, plus)						\
	SEC("raw_tp/sys_enter") int name(struct bpf_raw_tracepoint_args *ctx)	\
	{									\
		__u64 one = 1, *v;						\
		__u32 slot;							\
		void *inner;							\
		if (ctx->args[1] != wanted_nr)					\
			return 0;						\
		FILL_##k(key);							\
		slot = bank * nr_cpus + bpf_get_smp_processor_id();		\
		inner = bpf_map_lookup_elem(&map, &slot);			\
		if (!inner)							\
			return 0;						\
		v = bpf_map_lookup_elem(inner, &key);				\
		if (v) {							\
			plus;							\
		} else if (bpf_map_update_elem(inner, &key, &one, BPF_NOEXIST)) {	\
			__sync_fetch_and_add(&lost, 1);				\
		}								\
		return 0;							\
	}
KEYED_AOM(c_4_aom_plain, c4_aom, k4, *v += 1)
KEYED_AOM(c_20_aom_plain, c20_aom, k20, *v += 1)
KEYED_AOM(c_20_aom_atomic, c20_aom, k20, __sync_fetch_and_add(v, 1))
KEYED_AOM(c_20_aom_noprealloc, c20_aomn, k20, *v += 1)
KEYED_AOM(c_168_aom_plain, c168_aom, k168, *v += 1)

/* two banks held as two PERCPU_HASHes, chosen by an if */
HASH(c20_pp2, BPF_MAP_TYPE_PERCPU_HASH, 0, k20, 10240);
SEC("raw_tp/sys_enter") int c_20_two_banks_if(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 one = 1, *v;
	if (ctx->args[1] != wanted_nr)
		return 0;
	FILL_k20(key);
	if (bank) {
		v = bpf_map_lookup_elem(&c20_pp2, &key);
		if (v)
			*v += 1;
		else
			bpf_map_update_elem(&c20_pp2, &key, &one, BPF_NOEXIST);
	} else {
		v = bpf_map_lookup_elem(&c20_pp, &key);
		if (v)
			*v += 1;
		else
			bpf_map_update_elem(&c20_pp, &key, &one, BPF_NOEXIST);
	}
	return 0;
}

struct pn_inner { __uint(type, BPF_MAP_TYPE_PERCPU_HASH); __uint(max_entries, 10240); __type(key, struct k20); __type(value, __u64); };
struct { __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); __uint(max_entries, 2); __type(key, __u32); __array(values, struct pn_inner); } c20_banks SEC(".maps");
SEC("raw_tp/sys_enter") int c_20_banks_of_percpu(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 one = 1, *v;
	__u32 slot = bank;
	void *inner;
	if (ctx->args[1] != wanted_nr)
		return 0;
	FILL_k20(key);
	inner = bpf_map_lookup_elem(&c20_banks, &slot);
	if (!inner)
		return 0;
	v = bpf_map_lookup_elem(inner, &key);
	if (v)
		*v += 1;
	else if (bpf_map_update_elem(inner, &key, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&lost, 1);
	return 0;
}

/* burst of new keys: every call inserts arg0 */
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 1048576); __type(key, __u64); __type(value, __u64); } burst_hp SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(map_flags, BPF_F_NO_PREALLOC); __uint(max_entries, 1048576); __type(key, __u64); __type(value, __u64); } burst_hn SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_HASH); __uint(max_entries, 1048576); __type(key, __u64); __type(value, __u64); } burst_pp SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_HASH); __uint(map_flags, BPF_F_NO_PREALLOC); __uint(max_entries, 1048576); __type(key, __u64); __type(value, __u64); } burst_pn SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_LRU_HASH); __uint(max_entries, 1048576); __type(key, __u64); __type(value, __u64); } burst_lru SEC(".maps");
#define BURST(name, map)							\
	SEC("tp_btf/sys_enter") int name(__u64 *ctx)				\
	{									\
		__u64 one = 1, *v, key;						\
		if (ctx[1] != wanted_nr)					\
			return 0;						\
		key = ((struct pt_regs *)ctx[0])->rdi;				\
		v = bpf_map_lookup_elem(&map, &key);				\
		if (v)								\
			__sync_fetch_and_add(v, 1);				\
		else if (bpf_map_update_elem(&map, &key, &one, BPF_NOEXIST))	\
			__sync_fetch_and_add(&lost, 1);				\
		return 0;							\
	}
BURST(burst_hash_prealloc, burst_hp)
BURST(burst_hash_noprealloc, burst_hn)
BURST(burst_percpu_prealloc, burst_pp)
BURST(burst_percpu_noprealloc, burst_pn)
BURST(burst_lru_hash, burst_lru)

/* ---- d. records ------------------------------------------------------------------------------------------------------ */

struct rec { __u64 w[6]; };
struct rb_inner { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4 << 20); };
struct { __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); __uint(max_entries, 16); __type(key, __u32); __array(values, struct rb_inner); } rings SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4 << 20); } ring SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY); __uint(key_size, 4); __uint(value_size, 4); } perf SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY); __uint(max_entries, 1); __type(key, __u32); __type(value, struct rec); } recs SEC(".maps");

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

#define RING_HEAD(ctx)								\
	__u32 cpu = bpf_get_smp_processor_id();					\
	struct rec *r;								\
	void *rb;								\
	if (ctx->args[1] != wanted_nr)						\
		return 0;							\
	rb = bpf_map_lookup_elem(&rings, &cpu);					\
	if (!rb)								\
		return 0;							\
	r = bpf_ringbuf_reserve(rb, sizeof *r, 0);				\
	if (!r) {								\
		__sync_fetch_and_add(&lost, 1);					\
		return 0;							\
	}									\
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

/* ---- f. thread-local variables ----------------------------------------------------------------------------------------- */

struct tls { __u64 w[4]; };
struct { __uint(type, BPF_MAP_TYPE_TASK_STORAGE); __uint(map_flags, BPF_F_NO_PREALLOC); __type(key, int); __type(value, struct tls); } tls SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 10240); __type(key, __u32); __type(value, __u64); } bytid SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(map_flags, BPF_F_NO_PREALLOC); __uint(max_entries, 10240); __type(key, __u32); __type(value, __u64); } bytidn SEC(".maps");

SEC("raw_tp/sys_enter") int f_storage_create(struct bpf_raw_tracepoint_args *ctx)
{
	struct tls *t;
	if (ctx->args[1] != wanted_nr)
		return 0;
	t = bpf_task_storage_get(&tls, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (t)
		t->w[0]++;
	return 0;
}
SEC("tp_btf/sys_enter") int f_storage_create_btf(__u64 *ctx)
{
	struct tls *t;
	if (ctx[1] != wanted_nr)
		return 0;
	t = bpf_task_storage_get(&tls, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (t)
		t->w[0]++;
	return 0;
}
SEC("tp_btf/sys_enter") int f_storage_lookup(__u64 *ctx)
{
	struct tls *t;
	if (ctx[1] != wanted_nr)
		return 0;
	t = bpf_task_storage_get(&tls, bpf_get_current_task_btf(), 0, 0);
	if (t)
		t->w[0]++;
	return 0;
}
/* lookup, and create only on a miss */
SEC("tp_btf/sys_enter") int f_storage_lookup_create(__u64 *ctx)
{
	struct tls *t;
	if (ctx[1] != wanted_nr)
		return 0;
	t = bpf_task_storage_get(&tls, bpf_get_current_task_btf(), 0, 0);
	if (!t)
		t = bpf_task_storage_get(&tls, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (t)
		t->w[0]++;
	return 0;
}
SEC("tp_btf/sys_enter") int f_storage_miss(__u64 *ctx)
{
	struct tls *t;
	if (ctx[1] != wanted_nr)
		return 0;
	t = bpf_task_storage_get(&tls, bpf_get_current_task_btf(), 0, 0);
	if (t)
		t->w[0]++;
	return 0;
}
SEC("tp_btf/sys_enter") int f_storage_create_delete(__u64 *ctx)
{
	struct tls *t;
	if (ctx[1] != wanted_nr)
		return 0;
	t = bpf_task_storage_get(&tls, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (t)
		t->w[0]++;
	bpf_task_storage_delete(&tls, bpf_get_current_task_btf());
	return 0;
}
SEC("tp_btf/sys_enter") int f_hash_lookup(__u64 *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 one = 1, *v;
	if (ctx[1] != wanted_nr)
		return 0;
	v = bpf_map_lookup_elem(&bytid, &tid);
	if (v)
		*v += 1;
	else
		bpf_map_update_elem(&bytid, &tid, &one, BPF_ANY);
	return 0;
}
SEC("tp_btf/sys_enter") int f_hash_update(__u64 *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 one = 1;
	if (ctx[1] != wanted_nr)
		return 0;
	bpf_map_update_elem(&bytid, &tid, &one, BPF_ANY);
	return 0;
}
SEC("tp_btf/sys_enter") int f_hash_update_delete(__u64 *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 one = 1;
	if (ctx[1] != wanted_nr)
		return 0;
	bpf_map_update_elem(&bytid, &tid, &one, BPF_ANY);
	bpf_map_delete_elem(&bytid, &tid);
	return 0;
}
SEC("tp_btf/sys_enter") int f_hash_update_delete_noprealloc(__u64 *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 one = 1;
	if (ctx[1] != wanted_nr)
		return 0;
	bpf_map_update_elem(&bytidn, &tid, &one, BPF_ANY);
	bpf_map_delete_elem(&bytidn, &tid);
	return 0;
}

/* ---- g. stacks ------------------------------------------------------------------------------------------------------------ */

struct ks160 { __u64 ip[20]; };
struct us800 { __u64 ip[101]; };
struct { __uint(type, BPF_MAP_TYPE_PERCPU_HASH); __uint(max_entries, 10240); __type(key, struct ks160); __type(value, __u64); } g_k160 SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_HASH); __uint(max_entries, 10240); __type(key, struct us800); __type(value, __u64); } g_k800 SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_HASH); __uint(max_entries, 10240); __type(key, __u32); __type(value, __u64); } g_id SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_STACK_TRACE); __uint(max_entries, 16384); __uint(key_size, 4); __uint(value_size, 8 * 20); } g_stacks20 SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_STACK_TRACE); __uint(max_entries, 16384); __uint(key_size, 4); __uint(value_size, 8 * 100); } g_stacks100 SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY); __uint(max_entries, 1); __type(key, __u32); __type(value, struct us800); } g_scratch SEC(".maps");

struct ukey { __u64 h; __u64 pid; };
struct { __uint(type, BPF_MAP_TYPE_PERCPU_HASH); __uint(max_entries, 10240); __type(key, struct ukey); __type(value, __u64); } g_hashed SEC(".maps");

#define BUMP_KEY(map, keyp)							\
	do {									\
		__u64 one = 1, *v = bpf_map_lookup_elem(&map, keyp);		\
		if (v)								\
			*v += 1;						\
		else								\
			bpf_map_update_elem(&map, keyp, &one, BPF_NOEXIST);	\
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
	n = bpf_get_stack(ctx, &k, sizeof k, 0);	/* the helper clears what it does not fill */
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

/* ---- h. scratch -------------------------------------------------------------------------------------------------------------- */

struct scratch { __u64 busy; __u64 w[127]; };
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 64); __type(key, __u32); __type(value, struct scratch); } h_slots SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY); __uint(max_entries, 4); __type(key, __u32); __type(value, struct scratch); } h_pcpu SEC(".maps");

SEC("raw_tp/sys_enter") int h_percpu_unclaimed(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 k = 0;
	struct scratch *s;
	if (ctx->args[1] != wanted_nr)
		return 0;
	s = bpf_map_lookup_elem(&h_pcpu, &k);
	if (!s)
		return 0;
	*(volatile __u64 *)&s->w[3] = 1;
	return 0;
}
SEC("raw_tp/sys_enter") int h_percpu_cmpxchg(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 k = 0;
	struct scratch *s;
	if (ctx->args[1] != wanted_nr)
		return 0;
	s = bpf_map_lookup_elem(&h_pcpu, &k);
	if (!s)
		return 0;
	if (__sync_val_compare_and_swap(&s->busy, 0, 1)) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	*(volatile __u64 *)&s->w[3] = 1;
	barrier_var(s);
	*(volatile __u64 *)&s->busy = 0;
	return 0;
}
SEC("raw_tp/sys_enter") int h_percpu_xchg_release(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 k = 0;
	struct scratch *s;
	if (ctx->args[1] != wanted_nr)
		return 0;
	s = bpf_map_lookup_elem(&h_pcpu, &k);
	if (!s)
		return 0;
	if (__sync_val_compare_and_swap(&s->busy, 0, 1)) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	*(volatile __u64 *)&s->w[3] = 1;
	__sync_lock_test_and_set(&s->busy, 0);
	return 0;
}
/* slot = cpu * 4 + level in one plain array */
SEC("raw_tp/sys_enter") int h_array_cmpxchg(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 k = bpf_get_smp_processor_id() * 4;
	struct scratch *s;
	if (ctx->args[1] != wanted_nr)
		return 0;
	s = bpf_map_lookup_elem(&h_slots, &k);
	if (!s)
		return 0;
	if (__sync_val_compare_and_swap(&s->busy, 0, 1)) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	*(volatile __u64 *)&s->w[3] = 1;
	*(volatile __u64 *)&s->busy = 0;
	return 0;
}
/* plain test and set: enough where preemption is off, since an interrupt's firing is over before this one goes on */
SEC("raw_tp/sys_enter") int h_percpu_plain(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 k = 0;
	struct scratch *s;
	if (ctx->args[1] != wanted_nr)
		return 0;
	s = bpf_map_lookup_elem(&h_pcpu, &k);
	if (!s)
		return 0;
	if (*(volatile __u64 *)&s->busy) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	*(volatile __u64 *)&s->busy = 1;
	*(volatile __u64 *)&s->w[3] = 1;
	*(volatile __u64 *)&s->busy = 0;
	return 0;
}
