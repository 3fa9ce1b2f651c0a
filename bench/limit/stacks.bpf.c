// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * The limit for stack(), ustack() and both as keys of count(). The kernel's stack map gives a small id; the cost is
 * collecting the frames. It may refuse a stack whose bucket is taken: the limit counts those as lost, which is what an
 * exact tracer must not do.
 */
#include "limit.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct stack_key {
	u32 pid;
	u32 id;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct stack_key);
	__type(value, u64);
} by_stack SEC(".maps");

struct both_key {
	u32 pid;
	u32 kernel_id, user_id;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct both_key);
	__type(value, u64);
} by_both SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(u32));
	__uint(value_size, STACK_FRAMES * sizeof(u64));
} kernel_stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(u32));
	__uint(value_size, USTACK_FRAMES * sizeof(u64));
} user_stacks SEC(".maps");

static __always_inline int count_stack(long id, u32 pid)
{
	struct stack_key key = {.pid = pid, .id = id};

	if (id < 0)
		count_lost();
	else
		count_key(&by_stack, &key);
	return 0;
}

SEC("raw_tp/sys_enter")
int stack(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != traced_nr)
		return 0;
	return count_stack(bpf_get_stackid(ctx, &kernel_stacks, 0), 0);
}

/*
 * Through the perf tracepoint: dearer to enter, but it unwinds from where the tracepoint lies, not from inside of the
 * BPF program, and a frame costs more than the difference.
 */
SEC("tracepoint/syscalls/sys_enter_sched_get_priority_max")
int stack_perf(void *ctx)
{
	return count_stack(bpf_get_stackid(ctx, &kernel_stacks, 0), 0);
}

SEC("raw_tp/sys_enter")
int ustack(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] != traced_nr)
		return 0;
	return count_stack(bpf_get_stackid(ctx, &user_stacks, BPF_F_USER_STACK), current_task()->tgid);
}

SEC("raw_tp/sys_enter")
int both(struct bpf_raw_tracepoint_args *ctx)
{
	struct both_key key = {};
	long kernel_id, user_id;

	if (ctx->args[1] != traced_nr)
		return 0;
	kernel_id = bpf_get_stackid(ctx, &kernel_stacks, 0);
	user_id = bpf_get_stackid(ctx, &user_stacks, BPF_F_USER_STACK);
	if (kernel_id < 0 || user_id < 0) {
		count_lost();
		return 0;
	}
	key.pid = current_task()->tgid;
	key.kernel_id = kernel_id;
	key.user_id = user_id;
	count_key(&by_both, &key);
	return 0;
}
