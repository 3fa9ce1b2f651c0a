/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_cgroup.h - what the kernel side knows of cgroups: the answers to a program's comparisons with their names, and the
 * names themselves. C and C++.
 *
 * The table is DT_CGROUP_SETS sets of DT_CGROUP_WAYS entries in one section (.bss.dt_cgroups), so that a lookup is a few
 * loads and no call. Entries are made by bpf when a cgroup is made and by the consumer for those there were, and freed by
 * the consumer a while after the cgroup is gone.
 */
#ifndef DT_CGROUP_H
#define DT_CGROUP_H

#include <linux/types.h>

#define DT_CGROUP_SETS	4096
#define DT_CGROUP_WAYS	4
#define DT_CGROUP_WORDS 2

struct dt_cgroup {
	__u64 id;		     /* of the cgroup; 0: free. Taken by compare-and-swap */
	__u64 asked;		     /* comparisons made while it was not settled; written by bpf */
	__u64 bits[DT_CGROUP_WORDS]; /* enum dt_cgroup_bit; written by bpf at birth, later by the consumer */
};

enum dt_cgroup_bit {
	DT_CGROUP_SETTLED = 0, /* the answers are final, as far as anybody can tell */
	DT_CGROUP_INSIDE = 1,  /* it is a container's: cgroups below it have the same names */
	DT_CGROUP_FILTER = 2,  /* the options container, pod, unit and cgroup mean it */
	DT_CGROUP_TESTS = 4,   /* answers, in the order of Plan::cgroup_tests */
};

#define DT_CGROUP_MAX_TESTS (DT_CGROUP_WORDS * 64 - DT_CGROUP_TESTS)

/* The set that an id lies in. Ids ascend in steps, so their bits are mixed. */
static inline __attribute__((always_inline)) __u32 dt_cgroup_set(__u64 id)
{
	return (__u32)((id * 0x9e3779b97f4a7c15ull) >> 52); /* 12 bits: DT_CGROUP_SETS */
}

/*
 * Names for programs that do more with them than record or compare them. Each ends with a NUL and is padded with zeros; a
 * cgroup with a longer one has no entry. A namespace of Kubernetes has 63 characters, a pod 253.
 */
struct dt_cgroup_names {
	char path[1024];
	char container[256];
	char pod[320];
	char zone[256];
};

/* A cgroup was made or removed: from bpf to the consumer. */
struct dt_cgroup_event {
	__u64 id;
	__u64 parent; /* of a birth */
	__u32 is_removal;
	__u32 path_bytes; /* with the NUL; what follows is so long */
	char path[1024];  /* from the root of the hierarchy; TRACE_CGROUP_PATH_LEN */
};

/* Settings of the watching program, written before it is loaded. */
#define DT_CGROUP_WANTED       8
#define DT_CGROUP_WANTED_BYTES 256

enum dt_cgroup_wanted_kind {
	DT_CGROUP_WANTED_NOTHING = 0,
	DT_CGROUP_WANTED_NAME = 1, /* its own name is `text` */
	DT_CGROUP_WANTED_PATH = 2, /* its whole path is */
};

struct dt_cgroup_watch {
	__u32 path_says_all; /* bool: `wanted` decides all comparisons */
	__u32 pad;
	__u32 wanted_kind[DT_CGROUP_WANTED]; /* enum dt_cgroup_wanted_kind */
	__u32 wanted_bit[DT_CGROUP_WANTED];  /* set if it is so */
	__u64 inherited[DT_CGROUP_WORDS];    /* answers that hold for the cgroups below, too */
};

#endif
