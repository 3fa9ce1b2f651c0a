// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * unwind.c - walks a user stack by the rules that the consumer keeps in the pool (dt_unwind.h), and by frame pointers
 * where code has no rules. The loader links it, compiled, to programs that call dt_unwind(): as part of the library,
 * LLVM would take 30 ms for it at each start. Compiled for the host too, where it walks processes that are stopped.
 *
 * What a reader would get wrong: the searches have no branch. With one, the verifier would follow both ways of each
 * step, 280 000 instructions; without, 2000. So conditions are signs, made masks by a shift that the compiler cannot
 * see through.
 */
#include "bpf/programs/unwind.h"
#include "bpf/dt_bpf.h"
#include "bpf/dt_unwind.h"
#ifdef __TARGET_ARCH_arm64
#include "bpf/programs/unwind_aarch64.h"
#else
#include "bpf/programs/unwind_x86_64.h"
#endif

#define BLOCK_MASK (DT_UNWIND_BLOCK_BYTES - 1)

/* Larger distances between frames are no frames'. */
#define MOST_FRAME_BYTES (1 << 20)

/* No page of the kernel's is smaller. */
#define STACK_PAGE_BYTES 4096

DT_INLINE u8 *block_of(u64 place) { return dt_unwind_block(place / DT_UNWIND_BLOCK_BYTES); }

/* All ones if `value` is negative, else 0. */
DT_INLINE u64 if_negative(s64 value) {
  dt_hide(value);
  return (u64)(value >> 63);
}

/*
 * Where to go on in a search for the last of `count` entries that is not above `key`, from `at`: by `step` if there are
 * so many and `entry`, which lies there, is not above it.
 */
DT_INLINE u64 search_step(u64 at, u64 step, u64 count, u64 key, u64 entry) {
  return at + (step & if_negative((s64)(entry - key - 1) & (s64)(at + step - count)));
}

/* A call's return address may be the first of another function. */
DT_INLINE u64 pc_to_look_up(const struct dt_unwind_walk *walk) {
  return walk->pc - (walk->flags & DT_UNWIND_RETURNED ? 1 : 0);
}

/* ---- mappings ---- */

DT_INLINE const struct dt_unwind_mapping *mapping_at(u8 *block, u64 list, u64 index) {
  return (const struct dt_unwind_mapping *)(block + dt_masked(list + index * sizeof(struct dt_unwind_mapping),
                                                              BLOCK_MASK & ~31ull));
}

DT_INLINE u64 search_mappings(u8 *block, u64 list, u64 count, u64 address, u64 at, u64 step, u64 last) {
  DT_UNROLL
  for (; step >= last; step >>= 1)
    at = search_step(at, step, count, address, mapping_at(block, list, at + step)->start);
  return at;
}

/* Makes the mapping of an address the walk's current one. Returns 0, or -1: it is in none that is known. */
DT_GLOBAL int dt_unwind_find_mapping(struct dt_unwind_walk *walk, u64 address) {
  u64 list, count, at = 0;
  const struct dt_unwind_mapping *mapping;
  u8 *block;

  if (!walk) return -1;
  list = (u64)walk->mappings;
  count = walk->nr_mappings;
  if (!count) return -1;
  block = block_of(list);
  if (!block) return -1;
  if (count > 64) at = search_mappings(block, list, count, address, 0, 1024, 64);
  at = search_mappings(block, list, count, address, at, 32, 1);
  mapping = mapping_at(block, list, at);
  walk->start = mapping->start;
  walk->size_bytes = mapping->end - mapping->start;
  walk->bias = mapping->bias;
  walk->pages = mapping->pages;
  walk->mapping_flags = mapping->flags;
  return address - walk->start < walk->size_bytes ? 0 : -1;
}

/* ---- rules ---- */

DT_INLINE u32 row_at(u8 *block, u64 rows, u64 index) {
  return *(u32 *)(block + dt_masked(rows + index * sizeof(u32), BLOCK_MASK & ~3ull));
}

DT_INLINE u64 search_rows(u8 *block, u64 rows, u64 count, u64 key, u64 at, u64 step, u64 last) {
  DT_UNROLL
  for (; step >= last; step >>= 1)
    at = search_step(at, step, count, key, row_at(block, rows, at + step) >> DT_UNWIND_RULE_BITS);
  return at;
}

/*
 * Finds the rule of an address of the current mapping. Returns its offset in the pool, in units; or 0, which no rule
 * has, with walk->end set.
 */
DT_GLOBAL u32 dt_unwind_find_rule(struct dt_unwind_walk *walk, u64 address) {
  u64 offset, key, word_place, word, rows, count, at = 0;
  volatile u64 *known;
  u8 *block;
  u32 rule;

  if (!walk) return 0;
  offset = address - walk->bias;
  key = offset & ((1 << DT_UNWIND_PAGE_SHIFT) - 1);
  word_place = (u64)walk->pages + (offset >> DT_UNWIND_PAGE_SHIFT) * sizeof(u64);
  walk->end = DT_UNWIND_NO_TABLE;
  block = block_of(word_place);
  if (!block) return 0;
  known = (volatile u64 *)(block + dt_masked(word_place, BLOCK_MASK & ~7ull));
  word = *known;
  count = word >> DT_UNWIND_COUNT_SHIFT;
  if (!count) {
    if (!word) dt_unwind_ask_page(walk, block, word_place);
    return 0;
  }
  rows = (u32)word;
  block = block_of(rows);
  if (!block) return 0;
  if (count > 256) at = search_rows(block, rows, count, key, 0, 2048, 256);
  at = search_rows(block, rows, count, key, at, 128, 1);
  rule = row_at(block, rows, at) & ((1 << DT_UNWIND_RULE_BITS) - 1);
  /* The consumer does not wait for programs that may sleep before it writes other rows there, but it takes the word
   * away. */
  if (*known != word) return 0;
  walk->end = DT_UNWIND_NO_RULE;
  return rule;
}

/* The rule at an offset in the pool, in units. NULL: there is none. */
DT_INLINE const struct dt_unwind_rule *rule_at(u32 units) {
  u64 place = (u64)units * DT_UNWIND_UNIT_BYTES;
  u8 *block = units ? block_of(place) : NULL;

  return block ? (const struct dt_unwind_rule *)(block + dt_masked(place, BLOCK_MASK & ~31ull)) : NULL;
}

/* ---- the stack ---- */

/*
 * Reads one word of the process, and with it what lies around it. Not beyond the end of a page, which may be all that
 * is there. Returns 0, with walk->word; or -1, with walk->end set.
 */
DT_GLOBAL int dt_unwind_read_around(struct dt_unwind_walk *walk, u64 at) {
  u64 in_page, start, size_bytes;

  if (!walk) return -1;
  in_page = at & (STACK_PAGE_BYTES - 1);
  if (!(at & 7)) {
    start = at - (in_page > DT_UNWIND_WINDOW_BELOW ? DT_UNWIND_WINDOW_BELOW : in_page);
    size_bytes = STACK_PAGE_BYTES - (start & (STACK_PAGE_BYTES - 1));
    dt_hide(size_bytes);
    if (size_bytes > DT_UNWIND_WINDOW_BYTES) size_bytes = DT_UNWIND_WINDOW_BYTES;
    walk->window_at = start;
    walk->window_bytes = size_bytes;
    if (!dt_unwind_read(walk->window, size_bytes, start)) {
      walk->word = walk->window[dt_masked(at - start, DT_UNWIND_WINDOW_BYTES - 8) / 8];
      return 0;
    }
    walk->window_bytes = 0;
  }
  if (!dt_unwind_read(&walk->word, sizeof(walk->word), at)) return 0;
  walk->end = DT_UNWIND_UNREADABLE;
  return -1;
}

/* Reads a word of the process. Returns 0, or -1 with walk->end set. */
DT_INLINE int read_word(struct dt_unwind_walk *walk, u64 at, u64 *word) {
  u64 offset = at - walk->window_at;

  if (offset < walk->window_bytes && !(offset & 7)) {
    *word = *(u64 *)((u8 *)walk->window + dt_masked(offset, DT_UNWIND_WINDOW_BYTES - 8));
    return 0;
  }
  if (dt_unwind_read_around(walk, at)) return -1;
  *word = walk->word;
  return 0;
}

/* ---- registers ---- */

/* Reads a register that a callee has saved, if it was not read yet. Returns 0, or -1 with walk->end set. */
DT_INLINE int fetch(struct dt_unwind_walk *walk, u64 *value, u64 *place) {
  if (!*place) return 0;
  if (*place == DT_UNWIND_NOWHERE || read_word(walk, *place, value)) return -1;
  *place = 0;
  return 0;
}

/*
 * Goes to the address that the frame's register of return addresses holds; a call has overwritten it. Returns 0, or 1:
 * it is not known.
 */
DT_INLINE int return_by_link(struct dt_unwind_walk *walk) {
  if (!DT_UNWIND_LINKS || (walk->flags & DT_UNWIND_RETURNED) || fetch(walk, &walk->link, &walk->link_place)) return 1;
  walk->pc = dt_unwind_code_address(walk, walk->link);
  walk->return_place = 0;
  return 0;
}

/* Goes to the return address that lies there. Returns 0, or 1 with walk->end set. */
DT_INLINE int return_by_word(struct dt_unwind_walk *walk, u64 at) {
  u64 address;

  walk->return_place = at;
  if (read_word(walk, at, &address)) return 1;
  walk->pc = dt_unwind_code_address(walk, address);
  return 0;
}

/* What addresses of a base are counted from. Returns 0, or -1 with walk->end set. */
DT_INLINE int base_value(struct dt_unwind_walk *walk, u32 base, u64 cfa, u32 word, u64 *value) {
  switch (base) {
    case DT_UNWIND_CFA:
      *value = cfa;
      return 0;
    case DT_UNWIND_STACK:
      if (DT_UNWIND_LOST_STACK(walk)) return -1;
      *value = walk->stack;
      return 0;
    case DT_UNWIND_FRAME:
      if (fetch(walk, &walk->frame, &walk->frame_place)) return -1;
      *value = walk->frame;
      return 0;
    case DT_UNWIND_OTHER:
      if (fetch(walk, &walk->other, &walk->other_place)) return -1;
      *value = walk->other;
      return 0;
    case DT_UNWIND_REGISTER:
      if (walk->nr_frames != 1) return -1;
      *value = dt_unwind_register(walk->registers, word);
      return 0;
  }
  return -1;
}

/* Where the caller's value of a register lies; `place` is what it was for the callee. */
DT_INLINE u64 saved_place(struct dt_unwind_walk *walk, u32 base, s32 offset, u64 cfa, u64 place) {
  if (base == DT_UNWIND_CFA) return cfa + (s64)offset;
  if (base == DT_UNWIND_NONE) return place;
  if (base == DT_UNWIND_STACK && !DT_UNWIND_LOST_STACK(walk)) return walk->stack + (s64)offset;
  if (base == DT_UNWIND_OTHER && !walk->other_place) return walk->other + (s64)offset;
  if (base == DT_UNWIND_FRAME && !walk->frame_place) return walk->frame + (s64)offset;
  return DT_UNWIND_NOWHERE;
}

/* ---- steps ---- */

/*
 * The CFA of a frame whose stack pointer is not known. The frame pointer leads to where a function that saves it
 * together with the return address has saved them. Returns 0, or -1 with walk->end set.
 */
DT_INLINE int cfa_by_frame(struct dt_unwind_walk *walk, const struct dt_unwind_rule *rule, u64 *cfa) {
  if (rule->cfa != DT_UNWIND_STACK || rule->frame != DT_UNWIND_CFA || rule->return_address != DT_UNWIND_CFA ||
      rule->return_offset != rule->frame_offset + 8 || (rule->flags & DT_UNWIND_DEREFERENCE))
    return -1;
  if (fetch(walk, &walk->frame, &walk->frame_place)) return -1;
  *cfa = walk->frame - (s64)rule->frame_offset;
  return 0;
}

/* The CFA by a rule. Returns 0, or -1 with walk->end set. */
DT_INLINE int cfa_by_rule(struct dt_unwind_walk *walk, const struct dt_unwind_rule *rule, u64 *cfa) {
  if (base_value(walk, rule->cfa, 0, rule->cfa_register, cfa)) return -1;
  *cfa += (s64)rule->cfa_offset;
  if ((rule->flags & DT_UNWIND_PLT) && (walk->pc & 15) >= rule->plt_from) *cfa += 8;
  return rule->flags & DT_UNWIND_DEREFERENCE ? read_word(walk, *cfa, cfa) : 0;
}

/* Goes from a frame to its caller by a rule. Returns 0; 1: the walk has ended. */
DT_INLINE int follow_rule(struct dt_unwind_walk *walk, const struct dt_unwind_rule *rule) {
  u64 cfa = 0, from = 0, frame_place, other_place;
  u32 flags = rule->flags, return_base = rule->return_address;

  if (return_base == DT_UNWIND_END) {
    walk->end = DT_UNWIND_WHOLE;
    return 1;
  }
  if (DT_UNWIND_LOST_STACK(walk) && rule->cfa == DT_UNWIND_STACK) {
    if (cfa_by_frame(walk, rule, &cfa)) return 1;
  } else if (cfa_by_rule(walk, rule, &cfa)) {
    return 1;
  }
  /*
   * Callers are further up, except where a signal handler has a stack of its own. A function that has its return
   * address in a register (vfork; on arm64 every function until it saves it) need not have anything there.
   */
  if (cfa <= walk->stack && !(flags & DT_UNWIND_SIGNAL) &&
      (cfa != walk->stack || (return_base != DT_UNWIND_REGISTER && return_base != DT_UNWIND_NONE)))
    return 1;
  if (return_base == DT_UNWIND_NONE) {
    if (return_by_link(walk)) return 1;
  } else {
    if (base_value(walk, return_base, cfa, rule->return_register, &from)) return 1;
    if (return_base == DT_UNWIND_REGISTER) {
      walk->pc = dt_unwind_code_address(walk, from);
      walk->return_place = 0;
    } else if (return_by_word(walk, from + (s64)rule->return_offset)) {
      return 1;
    }
  }
  frame_place = saved_place(walk, rule->frame, rule->frame_offset, cfa, walk->frame_place);
  other_place = saved_place(walk, rule->other, rule->other_offset, cfa, walk->other_place);
  walk->frame_place = frame_place;
  walk->other_place = other_place;
  walk->stack = cfa;
  walk->flags = flags & DT_UNWIND_SIGNAL ? 0 : DT_UNWIND_RETURNED;
  return 0;
}

/*
 * Whether a frame without a rule is a function's that has called the kernel and has no more than its return address:
 * system calls by hand, as clone(2)'s, whose child has another stack.
 */
DT_INLINE int is_bare_system_call(struct dt_unwind_walk *walk) {
  u64 address = 0, in_frame = 0;

  if ((walk->flags & DT_UNWIND_RETURNED) || !dt_unwind_is_behind_system_call(walk->pc)) return 0;
  if (!DT_UNWIND_LINKS)
    return !dt_unwind_read(&address, sizeof(address), walk->stack) && dt_unwind_is_behind_call(address);
  if (walk->link_place || walk->frame_place) return 0;
  /* A function with a frame has its return address there, too. */
  dt_unwind_read(&in_frame, sizeof(in_frame), walk->frame + 8);
  return in_frame != walk->link && dt_unwind_is_behind_call(dt_unwind_code_address(walk, walk->link));
}

/* Goes to the caller from a frame that is nothing but a return address, and so many bytes above it. */
DT_INLINE int leave_bare_frame(struct dt_unwind_walk *walk, u64 size_bytes) {
  walk->stack += size_bytes;
  if (DT_UNWIND_LINKS) {
    if (return_by_link(walk)) return 1;
  } else {
    if (return_by_word(walk, walk->stack)) return 1;
    walk->stack += 8;
  }
  walk->flags = DT_UNWIND_RETURNED;
  return 0;
}

/*
 * Goes to what a signal interrupted, from where its handler returns to, if that has no rule: all registers lie on the
 * stack, `registers` bytes from its top. Returns 0; 1: the walk has ended.
 */
DT_INLINE int follow_signal(struct dt_unwind_walk *walk, u64 registers) {
  u64 at = walk->stack + registers;

  if (DT_UNWIND_LOST_STACK(walk)) return 1;
  if (read_word(walk, at + DT_SIGNAL_STACK, &walk->stack) || read_word(walk, at + DT_SIGNAL_PC, &walk->pc)) return 1;
  walk->frame_place = at + DT_SIGNAL_FRAME;
  walk->other_place = at + DT_SIGNAL_OTHER;
  walk->link_place = at + DT_SIGNAL_LINK;
  walk->return_place = 0;
  walk->flags = 0;
  return 0;
}

/* Goes from a frame to its caller where code has no rules. */
DT_INLINE int follow_frame_pointer(struct dt_unwind_walk *walk) {
  u64 frame, registers;
  int linkage;

  walk->end = DT_UNWIND_NO_RULE;
  registers = dt_unwind_signal_registers(walk->pc);
  if (registers) return follow_signal(walk, registers);
  if ((walk->flags & DT_UNWIND_AT_BOUNDARY) || is_bare_system_call(walk)) return leave_bare_frame(walk, 0);
  linkage = walk->flags & DT_UNWIND_RETURNED ? -1 : dt_unwind_in_linkage(walk->pc);
  if (linkage >= 0) return leave_bare_frame(walk, linkage);
  if (fetch(walk, &walk->frame, &walk->frame_place)) return 1;
  if (!walk->frame) {
    walk->end = DT_UNWIND_WHOLE;
    return 1;
  }
  if ((walk->frame - walk->stack > MOST_FRAME_BYTES && !(walk->mapping_flags & DT_UNWIND_KEEPS_FRAMES)) ||
      (walk->frame & 7))
    return 1;
  if (read_word(walk, walk->frame, &frame) || return_by_word(walk, walk->frame + 8)) return 1;
  walk->stack = walk->frame + 16;
  walk->frame = frame;
  walk->other_place = DT_UNWIND_NOWHERE;
  /* Where calls leave the return address in a register, functions save it below what else they have on the stack. */
  walk->flags = DT_UNWIND_RETURNED | (DT_UNWIND_LINKS ? DT_UNWIND_STACK_LOST : 0);
  return 0;
}

/*
 * The two halves of a step are functions that the verifier checks once, by themselves, and not with each call and each
 * round of the loop. So they know nothing of the memory behind the walk, where the frames are.
 */

/* Finds out where the pc is. Returns 0: in code, of the walk's current mapping; 1: the walk has ended; 2: so, with this
 * frame. */
DT_GLOBAL int dt_unwind_locate(struct dt_unwind_walk *walk) {
  u64 address;

  if (!walk) return 1;
  /* Threads' first functions return to 0 where no rule says that they return nowhere. */
  if (!walk->pc) {
    walk->end = DT_UNWIND_WHOLE;
    return 1;
  }
  address = pc_to_look_up(walk);
  if (address - walk->start < walk->size_bytes || !dt_unwind_find_mapping(walk, address)) return 0;
  return dt_unwind_outside(walk);
}

/* Goes from the frame to its caller. Returns 0, or 1: the walk has ended. */
DT_GLOBAL int dt_unwind_follow(struct dt_unwind_walk *walk) {
  const struct dt_unwind_rule *rule;

  if (!walk) return 1;
  if (!walk->pages) return follow_frame_pointer(walk);
  rule = rule_at(dt_unwind_find_rule(walk, pc_to_look_up(walk)));
  if (!rule) return 1;
  if (rule->cfa != DT_UNWIND_NONE || rule->return_address == DT_UNWIND_END) return follow_rule(walk, rule);
  /*
   * Behind no call, at the start of a function: nobody was called from there. Where a context was made
   * (makecontext(3)), its first function returns to such an address, and the stack ends.
   */
  if (walk->flags & DT_UNWIND_RETURNED) {
    rule = rule_at(dt_unwind_find_rule(walk, walk->pc));
    if (!rule) return 1;
    if (rule->cfa != DT_UNWIND_NONE) {
      walk->end = DT_UNWIND_WHOLE;
      return 1;
    }
  }
  return follow_frame_pointer(walk);
}

#ifdef DT_UNWIND_NO_MANAGED
#include "bpf/programs/no_managed_frames.h"
#else
#include "bpf/programs/managed_frames.h"
#endif

DT_STEP_OF(struct dt_stack_walk, frame_step) {
  u64 at, pc, from;
  int state, is_java;

  if (walk->managed.more == DT_MANAGED_MORE_JAVA) return java_step(walk);
  if (walk->managed.more) return managed_step(walk);
  state = dt_unwind_locate(&walk->native);
  dt_hide(state); /* the verifier does not know what a function of its own returns */
  is_java = walk->native.mapping_flags & DT_HOTSPOT_CACHE;
  if (!state) state = managed_enter(walk, is_java);
  dt_hide(state);
  if (state == 1) return 1;
  at = dt_opaque_u64(walk->native.nr_frames);
  if (at >= dt_unwind_layout.most || at >= walk->native.most) {
    walk->native.end = DT_UNWIND_TOO_DEEP;
    return 1;
  }
  walk->native.frames[at] = walk->native.pc;
  walk->native.nr_frames = at + 1;
  if (state) return 1;
  if (is_java) return leave_java(walk) ? 1 : 0;
  pc = walk->native.pc;
  from = walk->native.stack;
  state = dt_unwind_follow(&walk->native);
  dt_hide(state);
  if (state) return 1;
  if (walk->native.mapping_flags & walk->managed.runtime_mask)
    managed_begin(walk, walk->native.mapping_flags >> DT_MANAGED_RUNTIME_SHIFT, pc, from);
  return 0;
}

/*
 * dt_unwind - the frames of the current thread's user stack.
 *
 * In:       memory, a struct dt_stack_walk, whose native.pid and native.most are set; flags, DT_UNWIND_AT_BOUNDARY and
 * DT_UNWIND_RETURNED, DT_UNWIND_NATIVE, and the thread pointer. Out:      how many frames there are; its end says
 * whether they are all. 0: the thread has no user stack, or is a 32-bit program's.
 */
DT_LINKED int dt_unwind(void *memory, int flags) {
  struct dt_stack_walk *walk = memory;

  walk->native.nr_frames = 0;
  walk->native.flags = flags & (DT_UNWIND_AT_BOUNDARY | DT_UNWIND_RETURNED);
  walk->managed.thread_pointer = (u32)flags >> DT_UNWIND_THREAD_SHIFT;
  walk->native.owner = walk->native.pid;
  walk->native.image = 0;
  walk->native.end = DT_UNWIND_WHOLE;
  walk->native.start = walk->native.size_bytes = walk->native.window_bytes = 0;
  walk->native.frame_place = walk->native.other_place = walk->native.link_place = walk->native.return_place = 0;
  if (dt_unwind_begin(&walk->native)) return 0;
  walk->native.end = DT_UNWIND_TOO_DEEP;
  walk->managed.runtime_mask = flags & DT_UNWIND_NATIVE ? 0 : (u32)~0u << DT_MANAGED_RUNTIME_SHIFT;
  walk->managed.more = walk->managed.missed = walk->managed.has_anchor = 0;
  walk->managed.shows = flags & (DT_UNWIND_LINES | DT_UNWIND_INLINED);
  walk->managed.is_begun = walk->managed.last = 0;
  /*
   * One more, which tells whether there is another frame; and managed frames take a step in which it is seen that there
   * are no more of them, or replace a native one.
   */
  dt_unwind_repeat_of(struct dt_stack_walk, 2 * dt_unwind_layout.most + 1, frame_step, walk);
  return walk->native.nr_frames;
}
