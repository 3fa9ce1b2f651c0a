// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * The limit for aggregations with keys, and for an associative array. Per-CPU hashes, keys packed to their true size.
 * The name of the thread is read by two loads through BTF: bpf_get_current_comm() is four times as dear, and its byte
 * stores stall the hash function's word loads.
 */
#include "limit.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define PERCPU_COUNTS(name, key_type, entries)          \
	struct {                                        \
		__uint(type, BPF_MAP_TYPE_PERCPU_HASH); \
		__uint(max_entries, entries);           \
		__type(key, key_type);                  \
		__type(value, u64);                     \
	} name SEC(".maps")

struct pid_probe {
	u32 pid;
	u32 probe;
};
PERCPU_COUNTS(by_pid_probe, struct pid_probe, 4096);

SEC("tp_btf/sys_enter")
int pid_probefunc(u64 *ctx)
{
	struct pid_probe key;

	if (ctx[1] != traced_nr)
		return 0;
	key.pid = current_task()->tgid;
	key.probe = 7;
	count_key(&by_pid_probe, &key);
	return 0;
}

struct name {
	u64 w[2];
};
PERCPU_COUNTS(by_name, struct name, 4096);

static __always_inline void read_name(struct name *name)
{
	struct task_struct *task = current_task();

	name->w[0] = *(volatile u64 *)task->comm;
	name->w[1] = *(volatile u64 *)(task->comm + 8);
}

SEC("tp_btf/sys_enter")
int execname(u64 *ctx)
{
	struct name key;

	if (ctx[1] != traced_nr)
		return 0;
	read_name(&key);
	count_key(&by_name, &key);
	return 0;
}

/* profile-997 { @[execname] = count(); } */
SEC("perf_event")
int profile(void *ctx)
{
	struct name key;

	read_name(&key);
	count_key(&by_name, &key);
	return 0;
}

/* What the kernel's own accounting of run time adds to the one above. */
SEC("perf_event")
int profile_nothing(void *ctx)
{
	return 0;
}

/* a[pid]++: one table for all CPUs, so the addition is atomic. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, u32);
	__type(value, u64);
} array SEC(".maps");

SEC("tp_btf/sys_enter")
int assoc(u64 *ctx)
{
	u64 one = 1, *value;
	u32 pid;

	if (ctx[1] != traced_nr)
		return 0;
	pid = current_task()->tgid;
	value = bpf_map_lookup_elem(&array, &pid);
	if (value)
		__sync_fetch_and_add(value, 1);
	else if (bpf_map_update_elem(&array, &pid, &one, BPF_NOEXIST))
		count_lost();
	return 0;
}

/*
 * @[arg0] = count() with as many keys as there are calls. One plain hash for each CPU, in an array of maps: a hit costs
 * what it costs in a per-CPU hash, but a new key costs 0.5 us, not 11, and no memory for the CPUs that never saw it.
 */
struct counts {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u64);
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1); /* the loader sets one per CPU */
	__type(key, u32);
	__array(values, struct counts);
} many SEC(".maps");

SEC("tp_btf/sys_enter")
int many_keys(u64 *ctx)
{
	struct pt_regs *regs = (struct pt_regs *)ctx[0];
	u32 cpu = bpf_get_smp_processor_id();
	void *counts;
	u64 key;

	if (ctx[1] != traced_nr)
		return 0;
	counts = bpf_map_lookup_elem(&many, &cpu);
	if (!counts)
		return 0;
	key = PT_REGS_PARM1_SYSCALL(regs);
	count_key(counts, &key);
	return 0;
}

/*
 * @[copyinstr(arg0)] = count(), strings of up to strsize bytes, in the smallest of four tables that holds the string:
 * hashing a whole key of zeros is what costs, 10-30 ns for 128 bytes.
 */
struct text {
	char c[STRING_BOUND];
};
struct text16 {
	char c[16];
};
struct text32 {
	char c[32];
};
struct text64 {
	char c[64];
};
PERCPU_COUNTS(by_text16, struct text16, 4096);
PERCPU_COUNTS(by_text32, struct text32, 4096);
PERCPU_COUNTS(by_text64, struct text64, 4096);
PERCPU_COUNTS(by_text256, struct text, 4096);

SEC("tp_btf/sys_enter")
int copyinstr(u64 *ctx)
{
	struct pt_regs *regs = (struct pt_regs *)ctx[0];
	struct text key;
	long len;

	if (ctx[1] != traced_nr)
		return 0;
	__builtin_memset(&key, 0, sizeof key);
	len = bpf_probe_read_user_str(key.c, sizeof key.c, (void *)PT_REGS_PARM1_SYSCALL(regs));
	if (len < 0)
		count_lost();
	else if (len <= 16)
		count_key(&by_text16, &key);
	else if (len <= 32)
		count_key(&by_text32, &key);
	else if (len <= 64)
		count_key(&by_text64, &key);
	else
		count_key(&by_text256, &key);
	return 0;
}
