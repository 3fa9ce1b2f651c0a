/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * no_managed_frames.h - part of unwind.c in place of managed_frames.h: a walk that knows no runtimes. It is two thirds
 * less for the verifier, so programs are loaded with it, and call themselves with the other one when there is a process
 * that needs it (runtime/load/managed_programs.h).
 */
#ifndef DT_PROGRAMS_NO_MANAGED_FRAMES_H
#define DT_PROGRAMS_NO_MANAGED_FRAMES_H

#include "bpf/dt_hotspot.h"

DT_INLINE long managed_step(struct dt_stack_walk *walk) {
  walk->managed.more = 0;
  return 0;
}

/*
 * Mappings with a runtime are published when programs that know it are there. A firing that had begun before ends its
 * stack where it would have needed them.
 */
DT_INLINE int managed_enter(struct dt_stack_walk *walk, int is_java) {
  if (!is_java && !(walk->native.mapping_flags & walk->managed.runtime_mask)) return 0;
  walk->native.end = DT_UNWIND_NO_TABLE;
  return 2;
}

DT_INLINE void managed_begin(struct dt_stack_walk *walk, u32 runtime, u64 pc, u64 from) {}

DT_INLINE long java_step(struct dt_stack_walk *walk) { return 1; }

DT_INLINE int leave_java(struct dt_stack_walk *walk) { return 1; }

#endif
