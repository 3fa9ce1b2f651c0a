/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * managed_frames.h - part of unwind.c: functions of interpreters and virtual machines among the frames of a walk.
 */
#ifndef DT_PROGRAMS_MANAGED_FRAMES_H
#define DT_PROGRAMS_MANAGED_FRAMES_H

#include "bpf/programs/managed.h"
#include "bpf/programs/python.h"
#include "bpf/programs/unwind_hotspot.h"

/*
 * Finds the next managed frame that lies before the native frame that was walked last. Returns enum managed_found. What
 * it calls is inline: the kernel takes calls eight deep.
 */
DT_GLOBAL int dt_managed_next(struct dt_stack_walk *walk) {
  const struct dt_managed_runtime *runtime;

  if (!walk) return MANAGED_NONE;
  runtime = managed_runtime(walk);
  if (!runtime) return MANAGED_NONE;
  if (runtime->language == DT_MANAGED_PYTHON) return python_next(walk, (const struct dt_python *)runtime);
  return MANAGED_NONE;
}

/* Puts the next method of a Java frame behind the frames that there are. */
DT_INLINE long java_step(struct dt_stack_walk *walk) {
  u64 at = dt_opaque_u64(walk->native.nr_frames);
  int found;

  if (at >= dt_unwind_layout.most || at >= walk->native.most) {
    walk->native.end = DT_UNWIND_TOO_DEEP;
    return 1;
  }
  found = dt_hotspot_method(walk);
  dt_hide(found);
  if (found == MANAGED_FUNCTION) dt_managed_intern(walk);
  walk->native.frames[at] = walk->managed.entry;
  walk->native.nr_frames = at + 1;
  if (walk->managed.scope) return 0;
  walk->managed.more = 0;
  return walk->managed.is_end ? 1 : 0;
}

/* The native frame is the last one so far: the managed ones go before it. */
DT_INLINE long managed_step(struct dt_stack_walk *walk) {
  int found = dt_managed_next(walk);
  u64 at, before;

  dt_hide(found);
  if (found == MANAGED_NONE) {
    walk->managed.more = 0;
    return 0;
  }
  if (found == MANAGED_FUNCTION) dt_managed_intern(walk);
  at = dt_opaque_u64(walk->native.nr_frames);
  before = dt_opaque_u64(at - 1);
  if (before >= dt_unwind_layout.most) return 1;
  if (at >= dt_unwind_layout.most || at >= walk->native.most) {
    walk->native.frames[before] = walk->managed.entry;
    walk->native.end = DT_UNWIND_TOO_DEEP;
    return 1;
  }
  walk->native.frames[at] = walk->native.frames[before];
  walk->native.frames[before] = walk->managed.entry;
  walk->native.nr_frames = at + 1;
  return 0;
}

/* Before the walk leaves a native frame of a mapping with a runtime: are there managed frames to put before it? */
DT_INLINE void managed_begin(struct dt_stack_walk *walk, u32 runtime, u64 pc, u64 from) {
  struct dt_managed_walk *managed = &walk->managed;

  if (managed->has_anchor && managed->anchor - from >= walk->native.stack - from) return;
  managed->runtime = runtime;
  managed->pc = pc;
  managed->from = from;
  managed->to = walk->native.stack;
  managed->bias = walk->native.bias;
  managed->more = 1;
}

/* Enters a frame: of what code is it? Returns as dt_unwind_locate(). */
DT_INLINE int managed_enter(struct dt_stack_walk *walk, int is_java) {
  return is_java ? dt_hotspot_find_blob(walk) : 0;
}

/* Leaves a frame in a Java virtual machine's code. Its methods, if it has any, replace the address. */
DT_INLINE int leave_java(struct dt_stack_walk *walk) {
  int is_return = walk->native.flags & DT_UNWIND_RETURNED ? 1 : 0, state, has_methods = 0;

  walk->managed.pc = walk->native.pc;
  state = dt_hotspot_follow(walk);
  dt_hide(state);
  if (walk->managed.runtime_mask) has_methods = dt_hotspot_begin_methods(walk, is_return);
  dt_hide(has_methods);
  if (!has_methods) return state;
  walk->native.nr_frames--;
  walk->managed.is_end = state;
  walk->managed.more = DT_MANAGED_MORE_JAVA;
  return 0;
}

#endif
