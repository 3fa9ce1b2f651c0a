// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * What single operations of a BPF program cost on the running kernel. Each program is one case of lab_events.cpp, which
 * loads it alone, attaches it and times a loop of system calls. REP copies of an operation against one copy of nothing
 * give the cost of the operation itself: read those cases through the "per op" column.
 */
#include "lab.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define REP 16

/* a. single operations, REP times */

#define MICRO(name, op)                                                       \
	SEC("raw_tp/sys_enter") int name(struct bpf_raw_tracepoint_args *ctx) \
	{                                                                     \
		__u64 acc = 0;                                                \
		if (ctx->args[1] != wanted_nr)                                \
			return 0;                                             \
		_Pragma("unroll") for (int i = 0; i < REP; i++)               \
		{                                                             \
			op;                                                   \
		}                                                             \
		sink = acc;                                                   \
		return 0;                                                     \
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

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} arr SEC(".maps");

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

/* b. count() of one system call */

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

/* f. thread-local variables */

struct tls {
	__u64 w[4];
};
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct tls);
} tls SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, __u32);
	__type(value, __u64);
} bytid SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 10240);
	__type(key, __u32);
	__type(value, __u64);
} bytidn SEC(".maps");

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

/* h. scratch */

struct scratch {
	__u64 busy;
	__u64 w[127];
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, struct scratch);
} h_slots SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, struct scratch);
} h_pcpu SEC(".maps");

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
