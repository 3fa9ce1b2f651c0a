// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * What an aggregation with keys costs, by the kind of map and the length of the key. The burst_ programs insert a new key
 * at every call.
 */
#include "lab.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* c. keyed aggregations */

struct k4 {
	__u32 a;
};
struct k20 {
	__u32 pid;
	char comm[16];
};
struct k168 {
	__u64 w[21];
};

#define HASH(name, ty, fl, k, n)        \
	struct {                        \
		__uint(type, ty);       \
		__uint(map_flags, fl);  \
		__uint(max_entries, n); \
		__type(key, struct k);  \
		__type(value, __u64);   \
	} name SEC(".maps")

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

#define INNER(name, k, fl)                                \
	struct name##_inner {                             \
		__uint(type, BPF_MAP_TYPE_HASH);          \
		__uint(map_flags, fl);                    \
		__uint(max_entries, 10240);               \
		__type(key, struct k);                    \
		__type(value, __u64);                     \
	};                                                \
	struct {                                          \
		__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); \
		__uint(max_entries, 16);                  \
		__type(key, __u32);                       \
		__array(values, struct name##_inner);     \
	} name SEC(".maps")
INNER(c4_aom, k4, 0);
INNER(c20_aom, k20, 0);
INNER(c20_aomn, k20, BPF_F_NO_PREALLOC);
INNER(c168_aom, k168, 0);

volatile __u32 bank;

#define FILL_k4(key) struct k4 key = {.a = bpf_get_current_pid_tgid()}
#define FILL_k20(key)                         \
	struct k20 key;                       \
	key.pid = bpf_get_current_pid_tgid(); \
	bpf_get_current_comm(key.comm, 16)
#define FILL_k168(key)                         \
	struct k168 key;                       \
	__builtin_memset(&key, 0, sizeof key); \
	key.w[0] = bpf_get_current_pid_tgid(); \
	key.w[20] = 7

#define KEYED(name, map, k, plus)                                                \
	SEC("raw_tp/sys_enter") int name(struct bpf_raw_tracepoint_args *ctx)    \
	{                                                                        \
		__u64 one = 1, *v;                                               \
		if (ctx->args[1] != wanted_nr)                                   \
			return 0;                                                \
		FILL_##k(key);                                                   \
		v = bpf_map_lookup_elem(&map, &key);                             \
		if (v) {                                                         \
			plus;                                                    \
		} else if (bpf_map_update_elem(&map, &key, &one, BPF_NOEXIST)) { \
			__sync_fetch_and_add(&lost, 1);                          \
		}                                                                \
		return 0;                                                        \
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
	sink = key.pid + ((__u64 *)&key)[1] + ((__u32 *)&key)[4];
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

#define KEYED_AOM(name, map, k, plus)                                             \
	SEC("raw_tp/sys_enter") int name(struct bpf_raw_tracepoint_args *ctx)     \
	{                                                                         \
		__u64 one = 1, *v;                                                \
		__u32 slot;                                                       \
		void *inner;                                                      \
		if (ctx->args[1] != wanted_nr)                                    \
			return 0;                                                 \
		FILL_##k(key);                                                    \
		slot = bank * nr_cpus + bpf_get_smp_processor_id();               \
		inner = bpf_map_lookup_elem(&map, &slot);                         \
		if (!inner)                                                       \
			return 0;                                                 \
		v = bpf_map_lookup_elem(inner, &key);                             \
		if (v) {                                                          \
			plus;                                                     \
		} else if (bpf_map_update_elem(inner, &key, &one, BPF_NOEXIST)) { \
			__sync_fetch_and_add(&lost, 1);                           \
		}                                                                 \
		return 0;                                                         \
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

struct pn_inner {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__type(key, struct k20);
	__type(value, __u64);
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct pn_inner);
} c20_banks SEC(".maps");
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
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1048576);
	__type(key, __u64);
	__type(value, __u64);
} burst_hash_prealloc_keys SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1048576);
	__type(key, __u64);
	__type(value, __u64);
} burst_hash_noprealloc_keys SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1048576);
	__type(key, __u64);
	__type(value, __u64);
} burst_percpu_prealloc_keys SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1048576);
	__type(key, __u64);
	__type(value, __u64);
} burst_percpu_noprealloc_keys SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1048576);
	__type(key, __u64);
	__type(value, __u64);
} burst_lru_hash_keys SEC(".maps");
#define BURST(name, map)                                                     \
	SEC("tp_btf/sys_enter") int name(__u64 *ctx)                         \
	{                                                                    \
		__u64 one = 1, *v, key;                                      \
		if (ctx[1] != wanted_nr)                                     \
			return 0;                                            \
		key = ((struct pt_regs *)ctx[0])->rdi;                       \
		v = bpf_map_lookup_elem(&map, &key);                         \
		if (v)                                                       \
			__sync_fetch_and_add(v, 1);                          \
		else if (bpf_map_update_elem(&map, &key, &one, BPF_NOEXIST)) \
			__sync_fetch_and_add(&lost, 1);                      \
		return 0;                                                    \
	}
BURST(burst_hash_prealloc, burst_hash_prealloc_keys)
BURST(burst_hash_noprealloc, burst_hash_noprealloc_keys)
BURST(burst_percpu_prealloc, burst_percpu_prealloc_keys)
BURST(burst_percpu_noprealloc, burst_percpu_noprealloc_keys)
BURST(burst_lru_hash, burst_lru_hash_keys)
