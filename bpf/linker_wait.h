/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* linker_wait.h - what bpf/programs/linker_wait.c and the consumer share. */
#ifndef DT_LINKER_WAIT_H
#define DT_LINKER_WAIT_H

#include <linux/types.h>

/* A process waits no longer than this. */
#define DT_LINKER_WAIT_NS 1000000000ULL

/* dtrace's pid namespace, if it is not the initial one. */
struct dt_linker_namespace {
  __u64 device, inode; /* 0: the initial one */
};

struct dt_linker_request {
  __u64 time_ns; /* CLOCK_MONOTONIC */
  __u64 pid;     /* the process, as the consumer numbers it: the cookie of the link */
};

#endif
