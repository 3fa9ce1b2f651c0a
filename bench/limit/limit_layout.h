/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Layouts that a limit program and its loader both read. */
#ifndef BENCH_LIMIT_LAYOUT_H
#define BENCH_LIMIT_LAYOUT_H

#include <linux/types.h>

enum {
  QUANTIZE_BUCKETS = 127,
  STACK_FRAMES = 20,   /* DTrace's stackframes */
  USTACK_FRAMES = 100, /* DTrace's ustackframes */
  STRING_BOUND = 256,  /* DTrace's strsize */
};

/* One record of printf("%d %d %d\n", pid, tid, arg0). */
struct printf_record {
  __u32 pid;
  __u32 tid;
  __u64 arg0;
};

struct quantize_value {
  __u64 buckets[QUANTIZE_BUCKETS];
};

#endif
