/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * python.h - part of unwind.c: the frames of CPython's functions (bpf/dt_python.h).
 *
 * What a reader would get wrong: native and Python frames are matched by addresses on the stack, not by the code that a
 * native frame is in. An evaluation that has just begun, or is about to end, has no Python frame, and must not be taken
 * for its caller's. Nothing that is read is believed: a frame counts if its code has the type of code objects.
 */
#ifndef DT_PROGRAMS_PYTHON_H
#define DT_PROGRAMS_PYTHON_H

#include "bpf/dt_python.h"

/* Words of dt_managed_walk.state. */
enum python_state {
  PYTHON_FRAME,   /* the next frame; 0: that of PYTHON_CHAIN is not read yet */
  PYTHON_CHAIN,   /* the structure on the stack of the innermost evaluation that is not shown yet */
  PYTHON_THREAD,  /* the thread's state */
  PYTHON_SHOWN,   /* the native frame that a frame was shown of */
  PYTHON_POINTER, /* the thread's pointer */
  PYTHON_LOOK,    /* where a search has come to */
  PYTHON_DEPTH,   /* not 0: PYTHON_CHAIN is to be found so far below the end of an evaluation's part of the stack */
};

/* 0: it is not there, or it is 0. */
DT_INLINE u64 user_word(u64 at) {
  u64 value = 0;

  return dt_unwind_read(&value, sizeof(value), at) ? 0 : value;
}

DT_INLINE const struct dt_python *python_of(const struct dt_stack_walk *walk) {
  return (const struct dt_python *)managed_runtime(walk);
}

/* ---- the thread's state ---- */

DT_INLINE int is_own_thread(const struct dt_python *python, u64 thread, u64 pointer) {
  return thread && pointer - user_word(thread + python->thread_id) <= DT_THREAD_BYTES;
}

DT_STEP_OF(struct dt_stack_walk, python_look_at_thread) {
  struct dt_managed_walk *managed = &walk->managed;
  const struct dt_python *python = python_of(walk);
  u64 thread = managed->state[PYTHON_LOOK];

  if (!python || !thread) return 1;
  if (is_own_thread(python, thread, managed->state[PYTHON_POINTER])) {
    managed->state[PYTHON_THREAD] = thread;
    return 1;
  }
  managed->state[PYTHON_LOOK] = user_word(thread + python->thread_next);
  return 0;
}

/* Finds the state of the current thread. Each way may lead to another thread's: its number decides. */
DT_GLOBAL int dt_python_find_thread(struct dt_stack_walk *walk) {
  const struct dt_python *python;
  u64 pointer, runtime, thread, interpreter, block;
  u32 key = 0, round;

  if (!walk) return 0;
  python = python_of(walk);
  pointer = dt_unwind_thread_pointer(walk->managed.thread_pointer);
  if (!python || !pointer) return 0;
  walk->managed.state[PYTHON_POINTER] = pointer;
  runtime = walk->managed.bias + python->runtime;
  if (python->runtime_current != DT_PYTHON_NONE) {
    thread = user_word(runtime + python->runtime_current);
    if (is_own_thread(python, thread, pointer)) goto found;
  }
  if (DT_THREAD_SPECIFIC && !dt_unwind_read(&key, sizeof(key), runtime + python->runtime_key) && key < DT_PYTHON_KEYS) {
    /* Values lie in blocks of 32, each behind a word that tells whether it is still the key's. */
    block = user_word(pointer + DT_THREAD_SPECIFIC + key / 32 * sizeof(u64));
    thread = block ? user_word(block + key % 32 * 16 + 8) : 0;
    if (is_own_thread(python, thread, pointer)) goto found;
  }
  interpreter = user_word(runtime + python->runtime_interpreters);
  walk->managed.state[PYTHON_THREAD] = 0;
  for (round = 0; round < DT_PYTHON_INTERPRETERS; round++) {
    if (!interpreter) return 0;
    walk->managed.state[PYTHON_LOOK] = user_word(interpreter + python->interpreter_threads);
    dt_unwind_repeat_of(struct dt_stack_walk, DT_PYTHON_THREADS, python_look_at_thread, walk);
    if (walk->managed.state[PYTHON_THREAD]) return 1;
    interpreter = user_word(interpreter + python->interpreter_next);
  }
  return 0;
found:
  walk->managed.state[PYTHON_THREAD] = thread;
  return 1;
}

/* ---- which native frame is next ---- */

/* Goes on to the frame that is nobody's, which lies on the stack of the evaluation. */
DT_STEP_OF(struct dt_stack_walk, python_look_for_sentinel) {
  struct dt_managed_walk *managed = &walk->managed;
  const struct dt_python *python = python_of(walk);
  u64 frame = managed->state[PYTHON_LOOK];
  u8 mark = 0;

  if (!python || !frame || dt_unwind_read(&mark, sizeof(mark), frame + python->frame_mark)) return 1;
  if (mark == python->mark_value) {
    managed->anchor = frame;
    return 1;
  }
  managed->state[PYTHON_LOOK] = user_word(frame + python->frame_previous);
  return 0;
}

/* Sets the anchor of the frames from PYTHON_FRAME or PYTHON_CHAIN on; 0: there are none. */
DT_INLINE void python_set_anchor(struct dt_stack_walk *walk, const struct dt_python *python) {
  struct dt_managed_walk *managed = &walk->managed;

  managed->anchor = 0;
  if (python->frames != DT_PYTHON_SENTINEL) {
    managed->anchor = managed->state[PYTHON_CHAIN];
    return;
  }
  managed->state[PYTHON_LOOK] = managed->state[PYTHON_FRAME];
  dt_unwind_repeat_of(struct dt_stack_walk, DT_PYTHON_INLINED, python_look_for_sentinel, walk);
}

DT_INLINE void python_begin(struct dt_stack_walk *walk, const struct dt_python *python) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 thread;

  managed->is_begun = 1;
  managed->has_anchor = python->frames != DT_PYTHON_ONE_EACH;
  managed->anchor = 0;
  managed->state[PYTHON_FRAME] = managed->state[PYTHON_CHAIN] = managed->state[PYTHON_SHOWN] = 0;
  managed->state[PYTHON_DEPTH] = 0;
  if (!dt_python_find_thread(walk)) return;
  thread = managed->state[PYTHON_THREAD];
  if (python->thread_chain != DT_PYTHON_NONE) managed->state[PYTHON_CHAIN] = user_word(thread + python->thread_chain);
  if (python->thread_frame != DT_PYTHON_NONE) managed->state[PYTHON_FRAME] = user_word(thread + python->thread_frame);
  python_set_anchor(walk, python);
}

/*
 * The innermost evaluation of 3.9 may not have made its frame the thread's yet: it does so within these bytes of code,
 * which no call interrupts but the check of the stack's depth.
 */
#define DT_PYTHON_BEGIN_BYTES 96

/*
 * 3.11 and 3.12 make an evaluation's structure the thread's some instructions before they set what is in it, within
 * these bytes of code.
 */
#define DT_PYTHON_CHAIN_BYTES 256

/* Does the structure lead to frames, and was the outermost of them called from the evaluation around it? */
DT_INLINE int python_is_chain_set(struct dt_stack_walk *walk, const struct dt_python *python) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 chain = managed->state[PYTHON_CHAIN], around = user_word(chain + python->chain_previous), first;

  managed->anchor = 0;
  managed->state[PYTHON_LOOK] = user_word(chain + python->chain_frame);
  dt_unwind_repeat_of(struct dt_stack_walk, DT_PYTHON_INLINED, python_look_for_sentinel, walk);
  first = managed->anchor;
  managed->anchor = chain;
  return first && user_word(first + python->frame_previous) == user_word(around + python->chain_frame);
}

/*
 * The innermost evaluation may have a structure that is not set. All evaluations have theirs at one distance from the
 * end of their part of the stack: the next one's is looked for there. Returns 1: this evaluation has no frame yet.
 */
DT_INLINE int python_skip_unset(struct dt_stack_walk *walk, const struct dt_python *python) {
  struct dt_managed_walk *managed = &walk->managed;

  if (walk->native.nr_frames != 1 || managed->state[PYTHON_FRAME] || python->chain_frame == DT_PYTHON_NONE ||
      managed->pc - managed->bias - python->evaluation >= DT_PYTHON_CHAIN_BYTES || python_is_chain_set(walk, python))
    return 0;
  managed->state[PYTHON_DEPTH] = managed->to - managed->state[PYTHON_CHAIN];
  managed->state[PYTHON_CHAIN] = managed->anchor = managed->has_anchor = 0;
  return 1;
}

/* Is the native frame the evaluation that the next frames belong to? */
DT_INLINE int is_evaluation_of_next(struct dt_stack_walk *walk, const struct dt_python *python) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 offset = managed->pc - managed->bias - python->evaluation;

  if (managed->state[PYTHON_DEPTH]) {
    if (offset >= python->evaluation_bytes) return 0;
    managed->state[PYTHON_CHAIN] = managed->anchor = managed->to - managed->state[PYTHON_DEPTH];
    managed->state[PYTHON_DEPTH] = 0;
    managed->has_anchor = 1;
  }
  if (python->frames != DT_PYTHON_ONE_EACH) return managed->anchor - managed->from < managed->to - managed->from;
  if (!managed->state[PYTHON_FRAME] || offset >= python->evaluation_bytes ||
      managed->state[PYTHON_SHOWN] == managed->from)
    return 0;
  if (walk->native.nr_frames == 1 && offset < DT_PYTHON_BEGIN_BYTES) return 0;
  return 1;
}

/* ---- a frame ---- */

DT_INLINE u64 head_word(const struct dt_managed_walk *managed, u32 offset) {
  return *(u64 *)((u8 *)managed->head + dt_masked((u64)offset, DT_PYTHON_FRAME_BYTES - 8));
}

DT_INLINE u64 object_word(const struct dt_managed_walk *managed, u32 offset) {
  return *(u64 *)((u8 *)managed->object + dt_masked((u64)offset, DT_PYTHON_CODE_BYTES - 8));
}

/* Where the characters of a str are. Returns 0, or -1: not known. */
DT_INLINE int python_text(const struct dt_python *python, u64 text, struct dt_managed_source *source) {
  u64 words[5] = {}, length, width;
  u32 state;

  if (!text || dt_unwind_read(words, sizeof(words), text)) return -1;
  length = words[DT_PYTHON_TEXT_LENGTH / 8];
  state = (u32)words[DT_PYTHON_TEXT_STATE / 8];
  width = state >> 2 & 7;
  if (!(state & DT_PYTHON_TEXT_COMPACT) || length > 1 << 20) return -1;
  source->address = text + (state & DT_PYTHON_TEXT_ASCII ? python->text_ascii : python->text_other);
  source->size_bytes = length * width;
  source->width = width;
  return 0;
}

DT_INLINE u64 python_position(const struct dt_managed_walk *managed, const struct dt_python *python, u64 code) {
  u64 word = head_word(managed, python->frame_position), start = code + python->code_start;
  s64 index;

  if (!python->position_is_index) return word < start ? 0 : (word - start) / 2;
  index = (s32)(python->frame_position & 4 ? word >> 32 : word);
  return index < 0 ? 0 : (u64)index / python->position_unit_bytes;
}

/* Takes the frame whose start is managed->head. Returns as dt_managed_next(), a frame. */
DT_INLINE int python_take_frame(struct dt_managed_walk *managed, const struct dt_python *python) {
  u64 code = head_word(managed, python->frame_code), table, size_bytes = python->code_bytes;

  managed->position = python_position(managed, python, code);
  if (managed_again(managed, code, managed->position)) return MANAGED_ENTRY;
  dt_hide(size_bytes);
  if (size_bytes > DT_PYTHON_CODE_BYTES) size_bytes = DT_PYTHON_CODE_BYTES;
  if (!code || dt_unwind_read(managed->object, size_bytes, code) ||
      object_word(managed, DT_PYTHON_TYPE) != managed->bias + python->code_type)
    return managed_missed(managed, DT_MANAGED_UNREADABLE);
  managed->function = code;
  managed->language = DT_MANAGED_PYTHON;
  managed->version = python->version;
  managed->first_line =
      *(u32 *)((u8 *)managed->object + dt_masked((u64)python->code_first_line, DT_PYTHON_CODE_BYTES - 4));
  managed->detail = 0;
  managed->texts[DT_MANAGED_SCOPE].size_bytes = 0;
  managed->texts[DT_MANAGED_SCOPE].width = 1;
  table = object_word(managed, python->code_table);
  if (python_text(python, object_word(managed, python->code_name), &managed->texts[DT_MANAGED_NAME]) ||
      python_text(python, object_word(managed, python->code_file), &managed->texts[DT_MANAGED_FILE]) ||
      dt_unwind_read(&size_bytes, sizeof(size_bytes), table + DT_PYTHON_BYTES_SIZE) || size_bytes > 1 << 30)
    return managed_missed(managed, DT_MANAGED_UNREADABLE);
  managed->table.address = table + DT_PYTHON_BYTES_START;
  managed->table.size_bytes = size_bytes;
  return MANAGED_FUNCTION;
}

/* The evaluation's frames have all been shown, or cannot be followed further. */
DT_INLINE void python_end_evaluation(struct dt_stack_walk *walk, const struct dt_python *python) {
  struct dt_managed_walk *managed = &walk->managed;

  if (python->thread_chain != DT_PYTHON_NONE && managed->state[PYTHON_CHAIN])
    managed->state[PYTHON_CHAIN] = user_word(managed->state[PYTHON_CHAIN] + python->chain_previous);
  if (python->chain_frame != DT_PYTHON_NONE) managed->state[PYTHON_FRAME] = 0;
  python_set_anchor(walk, python);
}

/* As dt_managed_next(). */
DT_INLINE int python_next(struct dt_stack_walk *walk, const struct dt_python *python) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 frame, size_bytes = python->frame_bytes;
  int is_marked, found;
  u8 mark;

  if (!managed->is_begun) python_begin(walk, python);
  if (!is_evaluation_of_next(walk, python) || python_skip_unset(walk, python)) return MANAGED_NONE;
  frame = managed->state[PYTHON_FRAME];
  if (!frame && python->chain_frame != DT_PYTHON_NONE)
    frame = user_word(managed->state[PYTHON_CHAIN] + python->chain_frame);
  dt_hide(size_bytes);
  if (size_bytes > DT_PYTHON_FRAME_BYTES) size_bytes = DT_PYTHON_FRAME_BYTES;
  if (!frame || dt_unwind_read(managed->head, size_bytes, frame)) {
    managed->state[PYTHON_FRAME] = managed->state[PYTHON_CHAIN] = managed->anchor = 0;
    return managed_missed(managed, DT_MANAGED_UNREADABLE);
  }
  managed->state[PYTHON_FRAME] = head_word(managed, python->frame_previous);
  mark = *((u8 *)managed->head + dt_masked((u64)python->frame_mark, DT_PYTHON_FRAME_BYTES - 1));
  is_marked = python->frame_mark != DT_PYTHON_NONE && mark == python->mark_value;
  found = MANAGED_NONE;
  if (!is_marked || python->frames == DT_PYTHON_MARKED) found = python_take_frame(managed, python);
  managed->state[PYTHON_SHOWN] = managed->from;
  if (is_marked || python->frames == DT_PYTHON_ONE_CHAINED) python_end_evaluation(walk, python);
  return found;
}

#endif
