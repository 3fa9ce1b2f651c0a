/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* dt_family.h - which processes belong to the families of option follow: what BPF programs and the consumer share. */
#ifndef DT_FAMILY_H
#define DT_FAMILY_H

/* A family is a target and the processes that it and its children forked since tracing began. Families are numbered from
   1; a process is in those whose bits (family - 1) are set in its word of map "dt_family", by process number in dtrace's
   pid namespace. */
#define DT_MAX_FAMILIES		64
/* Processes that are in families at one time. */
#define DT_MAX_FAMILY_PROCESSES 65536

/* The map as programs declare it: dt_family, or another that the consumer makes one with it. */
#define DT_FAMILY_MAP(name)                                   \
	struct {                                              \
		__uint(type, BPF_MAP_TYPE_HASH);              \
		__uint(max_entries, DT_MAX_FAMILY_PROCESSES); \
		__uint(map_flags, BPF_F_NO_PREALLOC);         \
		__type(key, u32);                             \
		__type(value, u64);                           \
	} name SEC(".maps")

#endif
