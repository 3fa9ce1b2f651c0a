/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_bpf.h - common ground of the BPF library: types, the compiler attributes we rely on, and what of <linux/bpf.h> old
 * headers lack.
 *
 * Every DT_API and DT_FUNC function is an entry of the library: the code generator looks it up by name in the bitcode, calls
 * it, and links only what it called. With DT_HOST the pure files compile for the host's unit tests.
 */
#ifndef DT_BPF_H
#define DT_BPF_H

#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#ifdef DT_HOST
#define DT_INLINE static inline
#define DT_API
#define DT_FUNC
#else
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
/* Always part of the caller: costs no call and lets the verifier see constants. */
#define DT_INLINE static inline __attribute__((always_inline))
#define DT_API	  __attribute__((always_inline))
/*
 * A BPF subprogram of its own. Static, so that its BTF says so: the verifier checks global ones by themselves, without
 * their callers' maps. The code generator makes it visible for the link.
 */
#define DT_FUNC	  static __attribute__((noinline, used))
#endif

/* Which way most firings go: their code is then straight, without a jump taken. */
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#ifndef NULL
#define NULL ((void *)0)
#endif

#include "dt_abi.h"

#endif
