/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * What the limit programs share. They are built against UAPI headers only: the two kernel structures they look into
 * are declared here with the members in use and relocated when loaded, so that no vmlinux.h is needed. struct pt_regs
 * comes from the user header, whose layout is the kernel's.
 */
#ifndef BENCH_LIMIT_BPF_H
#define BENCH_LIMIT_BPF_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "limit_layout.h"

typedef __u64 u64;
typedef __s64 s64;
typedef __u32 u32;

struct task_struct {
	int pid;
	int tgid;
	char comm[16];
} __attribute__((preserve_access_index));

/* Set by the loader before loading, so the verifier sees constants. */
const volatile u64 traced_nr = 0;

/* Events that could not be recorded. */
u64 lost;

static __always_inline void count_lost(void)
{
	__sync_fetch_and_add(&lost, 1);
}

static __always_inline struct task_struct *current_task(void)
{
	return (struct task_struct *)bpf_get_current_task_btf();
}

/* Adds one to the value of *key, making it when it is new. The map is per CPU, so no atomic is needed. */
static __always_inline void count_key(void *map, const void *key)
{
	u64 one = 1;
	u64 *value = bpf_map_lookup_elem(map, key);

	if (value) {
		*value += 1;
		return;
	}
	/* EEXIST cannot happen: nothing else on this CPU runs between the look-up and here, save an interrupt's
	 * program on another map. */
	if (bpf_map_update_elem(map, key, &one, BPF_NOEXIST))
		count_lost();
}

/*
 * quantize_bucket - bucket of one value in a power-of-two histogram.
 *
 * In:   val, any s64.     Out: 0..126, 63 is zero.     Cost: six unrolled steps, no branch kept by the compiler.
 */
static __always_inline u32 quantize_bucket(s64 val)
{
	u64 mag = val < 0 ? -(u64)val : (u64)val;
	u32 len = 0, step;

	step = (mag >> 32 != 0) << 5;
	mag >>= step;
	len += step;
	step = (mag >> 16 != 0) << 4;
	mag >>= step;
	len += step;
	step = (mag >> 8 != 0) << 3;
	mag >>= step;
	len += step;
	step = (mag >> 4 != 0) << 2;
	mag >>= step;
	len += step;
	step = (mag >> 2 != 0) << 1;
	mag >>= step;
	len += step;
	len += mag >> 1;
	len += mag != 0 ? 1 : 0;
	if (len > 63)
		len = 63;
	return val < 0 ? 63 - len : 63 + len;
}

#endif
