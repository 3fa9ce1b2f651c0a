/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* What the lab's BPF programs share: the globals that lab.cpp sets before the load, and reads after the run. */
#ifndef BENCH_LAB_BPF_H
#define BENCH_LAB_BPF_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct task_struct {
	int pid;
	int tgid;
	char comm[16];
} __attribute__((preserve_access_index));

const volatile __u64 wanted_nr = 0;
const volatile __u32 nr_cpus = 2;
const volatile __u8 is_wanted[512] = {};
const volatile __u64 user_address = 0;
volatile __u64 state; /* 1 while tracing: the global flag a generated program tests */
volatile __u64 sink;
__u64 lost; /* events that could not be recorded */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} pcpu SEC(".maps");

#endif
