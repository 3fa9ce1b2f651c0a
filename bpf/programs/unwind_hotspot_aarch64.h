/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * unwind_hotspot_aarch64.h - what the instructions at a pc say about a Java frame, on arm64: part of unwind_hotspot.h.
 *
 * A compiled method begins with `sub x9, sp, #n`, `str xzr, [x9]` (a look at the stack's end), `sub sp, sp, #n`, `stp
 * x29, x30, [sp, #n-16]`; with a large frame `stp x29, x30, [sp, #-16]!`, `sub sp, sp, #n`. It ends with `ldp x29, x30,
 * [sp, #n-16]`, `add sp, sp, #n`, `ldr x8, [x28, #m]`, `cmp sp, x8`, `b.hi`, `ret`; with a large frame `add sp, sp,
 * #n`, `ldp x29, x30, [sp], #16`.
 *
 * What a reader would get wrong: compiled code uses x29 as any register, and x30 for return addresses only. As long as
 * it has called nothing, x30 is its return address, also when it is on the stack already; later it is an address in the
 * method itself. So in stubs and in the interpreter x30 tells whether x29 leads to their frame or to a caller's.
 */
#ifndef DT_PROGRAMS_UNWIND_HOTSPOT_AARCH64_H
#define DT_PROGRAMS_UNWIND_HOTSPOT_AARCH64_H

/* From an interpreted frame's pointer to its caller's stack pointer. */
#define HOTSPOT_SENDER_OFFSET (-8)
/* An interpreted caller's lies at the end of all that it may push: a frame that it calls begins at what it has pushed.
 */
#define HOTSPOT_SENDER_BELOW 1
/* And to its Method. */
#define HOTSPOT_METHOD_OFFSET (-24)
/* And to the address of the bytecode that it is at, when it has called something; else a register has it (x22). */
#define HOTSPOT_BYTECODE_OFFSET (-72)
#define HOTSPOT_BYTECODE_REGISTER 22

/* The interpreter's stack pointer of its own: x20. The caller's stack pointer, until a frame is made: x13, from JDK 20
 * on x19. */
#define HOTSPOT_STACK_REGISTER 20
#define HOTSPOT_SENDER_REGISTER(hotspot) ((hotspot)->number_bias ? 19 : 13)

#define PUSH_LINK 0xa9bf7bfd         /* stp x29, x30, [sp, #-16]! */
#define POP_LINK 0xa8c17bfd          /* ldp x29, x30, [sp], #16 */
#define CHECK_RETURN 0xeb2863ff      /* cmp sp, x8 */
#define RETURN 0xd65f03c0            /* ret */
#define LOWER_BY_REGISTER 0xcb2863ff /* sub sp, sp, x8 */
#define TAKE_SENDER_X13 0x910003ed   /* mov x13, sp */
#define TAKE_SENDER_X19 0x910003f3   /* mov x19, sp */
#define SAVE_SENDER_X13 0xa90437ff   /* stp xzr, x13, [sp, #64] */
#define SAVE_SENDER_X19 0xa9044fff   /* stp xzr, x19, [sp, #64] */
#define RESTORE_STACK 0x927cee9f     /* and sp, x20, #-16 */

/* 1 if the words are equal, else 0. No branch: the verifier would follow both ways of each. */
DT_INLINE u32 is_equal(u32 word, u32 other) { return if_negative((s64)(u64)(word ^ other) - 1) & 1; }

DT_INLINE u32 has_form(u32 word, u32 mask, u32 value) { return is_equal(word & mask, value); }

DT_INLINE int is_store_link(u32 word) { return has_form(word, 0xffc07fff, 0xa9007bfd); } /* stp x29, x30, [sp, #n] */
DT_INLINE int is_load_link(u32 word) { return has_form(word, 0xffc07fff, 0xa9407bfd); }  /* ldp x29, x30, [sp, #n] */
DT_INLINE int is_raise(u32 word) { return has_form(word, 0xff8003ff, 0x910003ff); }      /* add sp, sp, #n */
DT_INLINE int is_lower(u32 word) {
  return has_form(word, 0xff8003ff, 0xd10003ff) | is_equal(word, LOWER_BY_REGISTER); /* sub sp, sp, #n */
}

/* Not b, br, ret: what stands behind these is reached from elsewhere. */
DT_INLINE int goes_on(u32 word) {
  return 1 ^ (has_form(word, 0xfc000000, 0x14000000) | has_form(word, 0xfffffc1f, 0xd61f0000) | is_equal(word, RETURN));
}

/* The instructions around the pc are in the walk's buffer: so many before it. */
#define WORDS_BEFORE 12
#define WORDS_IN_ALL 16

DT_INLINE int read_instructions(struct dt_managed_walk *managed, u64 pc) {
  _Static_assert(WORDS_IN_ALL * 4 <= INTERPRETED * 8, "words of head");
  return dt_unwind_read(managed->head, WORDS_IN_ALL * 4, pc - WORDS_BEFORE * 4) ? -1 : 0;
}

DT_INLINE u32 instruction(const struct dt_managed_walk *managed, int from_pc) {
  u64 word = managed->head[(WORDS_BEFORE + from_pc) / 2];

  return (WORDS_BEFORE + from_pc) & 1 ? word >> 32 : word;
}

/* Has the instruction there taken the last of a frame off the stack? */
DT_INLINE int is_popped_at(const struct dt_managed_walk *managed, int at) {
  return is_equal(instruction(managed, at), POP_LINK) |
         (is_raise(instruction(managed, at)) & is_load_link(instruction(managed, at - 1)));
}

/*
 * Where the poll before a return jumps to: adr x8; str x8, [x28, #n]; and a jump, which may take three instructions:
 * adrp, add, br. Calls of the machine begin with the same two.
 */
DT_INLINE int is_poll_at(const struct dt_managed_walk *managed, int at) {
  u32 first = instruction(managed, at), second = instruction(managed, at + 1), jump = instruction(managed, at + 2);

  return has_form(first, 0x9f00001f, 0x10000008) & has_form(second, 0xffc003ff, 0xf9000388) &
         (has_form(jump, 0xfc000000, 0x14000000) | has_form(jump, 0x9f00001f, 0x90000008));
}

/* Is nothing left of a compiled frame? */
DT_INLINE int is_popped(const struct dt_managed_walk *managed) {
  u32 now = instruction(managed, 0), before = instruction(managed, -1), before_that = instruction(managed, -2);

  if (is_equal(now, RETURN) | is_equal(now, CHECK_RETURN) | is_equal(before, CHECK_RETURN)) return 1;
  if (is_popped_at(managed, -1)) return 1;
  if (goes_on(before) & (is_popped_at(managed, -2) | (goes_on(before_that) & is_popped_at(managed, -3)))) return 1;
  return is_poll_at(managed, 0) | is_poll_at(managed, -1) | is_poll_at(managed, -2) | is_poll_at(managed, -3) |
         is_poll_at(managed, -4);
}

/* Before the frame is complete: what of its making has been done? */
DT_INLINE u32 prologue_state(const struct dt_managed_walk *managed) {
  u32 made = 0, pushed = 0;
  int at;

  if (is_lower(instruction(managed, -1)) & is_store_link(instruction(managed, 0))) return FRAME_UNSAVED;
  DT_UNROLL
  for (at = -WORDS_BEFORE; at < 0; at++) {
    u32 word = instruction(managed, at);

    made |= is_store_link(word) | is_lower(word);
    pushed |= is_equal(word, PUSH_LINK);
  }
  if (made) return FRAME_FULL;
  return pushed ? FRAME_PUSHED : FRAME_NONE;
}

/* State of a runtime stub's frame. Stubs do not say where their frames are complete: many save all registers behind
 * `mov x29, sp`. */
DT_INLINE u32 runtime_frame_state(const struct dt_managed_walk *managed) {
  u32 now = instruction(managed, 0), next = instruction(managed, 1);

  if (is_equal(now, PUSH_LINK) | (is_lower(now) & is_store_link(next))) return FRAME_NONE;
  if (is_lower(instruction(managed, -1)) & is_store_link(now)) return FRAME_UNSAVED;
  return FRAME_LINKED;
}

/* The register that has the return address, until a call overwrites it; 0: it is not known. */
DT_INLINE u64 hotspot_link(struct dt_unwind_walk *walk) {
  if (fetch(walk, &walk->link, &walk->link_place)) return 0;
  return dt_unwind_code_address(walk, walk->link);
}

/* Is the address one of the blob that the pc is in? */
DT_INLINE int is_in_blob(const struct dt_managed_walk *managed, const struct dt_hotspot *hotspot, u64 address) {
  return hotspot->blob_size && address - managed->head[BLOB] < (u64)blob_int(managed, hotspot->blob_size);
}

/*
 * State of the innermost frame of compiled code and of stubs that have frames of one size. `complete`: where frames of
 * a method are complete; 0: it is not known.
 */
DT_INLINE u32 compiled_frame_state(struct dt_stack_walk *walk, const struct dt_hotspot *hotspot, u64 words,
                                   u64 complete) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 pc = walk->native.pc, link, saved = 0;
  u32 now;

  if (pc == blob_code(managed, hotspot)) return FRAME_NONE;
  if (read_instructions(managed, pc)) return FRAME_FULL;
  if (pc < complete) return prologue_state(managed);
  if (is_popped(managed)) return FRAME_NONE;
  now = instruction(managed, 0);
  if (now == POP_LINK || instruction(managed, -1) == PUSH_LINK) return FRAME_PUSHED;
  if (is_raise(now) & is_load_link(instruction(managed, -1))) return FRAME_UNSAVED;
  if (!complete) return runtime_frame_state(managed);
  /* A jump behind the end of the frame, as to where exceptions are handed on. */
  link = hotspot_link(&walk->native);
  if (is_in_blob(managed, hotspot, link) || !may_be_return(hotspot, link) ||
      read_word(&walk->native, walk->native.stack + words * 8 - 8, &saved))
    return FRAME_FULL;
  return dt_unwind_code_address(&walk->native, saved) == link ? FRAME_FULL : FRAME_NONE;
}

/* What lies where a frame that x29 leads to has its return address; 0: x29 leads to none. */
DT_INLINE u64 return_by_frame(struct dt_unwind_walk *walk) {
  u64 saved = 0;

  if (fetch(walk, &walk->frame, &walk->frame_place) || walk->frame - walk->stack > MOST_FRAME_BYTES ||
      (walk->frame & 7) || read_word(walk, walk->frame + 8, &saved))
    return 0;
  return dt_unwind_code_address(walk, saved);
}

/*
 * State of the innermost frame of a stub or of the interpreter. FRAME_FULL: the frame pointer leads to it. FRAME_NONE:
 * it has none yet, or no more.
 */
DT_INLINE u32 stub_frame_state(struct dt_stack_walk *walk, const struct dt_hotspot *hotspot, int is_interpreted) {
  struct dt_managed_walk *managed = &walk->managed;
  u64 link = hotspot_link(&walk->native);
  u32 now;

  if (!link || read_instructions(managed, walk->native.pc)) return FRAME_FULL;
  if (instruction(managed, -1) == PUSH_LINK) return FRAME_PUSHED;
  now = instruction(managed, 0);
  if (return_by_frame(&walk->native) == link)
    return is_interpreted && (now == SAVE_SENDER_X13 || now == SAVE_SENDER_X19) ? FRAME_NONE : FRAME_FULL;
  /* The interpreter's, too, if a method has just been entered or left: the frame is that of its caller. */
  if (is_in_blob(managed, hotspot, link)) return FRAME_FULL;
  if (is_interpreted) return link - hotspot->cache_start < hotspot->cache_bytes ? FRAME_NONE : FRAME_FULL;
  return may_be_return(hotspot, link) ? FRAME_NONE : FRAME_FULL;
}

/* The stack pointer of the caller of a stub or of an interpreted method that has no frame. The instructions have been
 * read. */
DT_INLINE u64 sender_stack(struct dt_stack_walk *walk, const struct dt_hotspot *hotspot, int is_interpreted) {
  const struct dt_managed_walk *managed = &walk->managed;
  u64 stack = walk->native.stack, sender, most_bytes = MOST_FRAME_BYTES;
  u32 now = instruction(managed, 0), taken = 0;
  int at;

  /* Registers of a thread that a signal has interrupted lie elsewhere. */
  if (walk->native.nr_frames != 1 || now == RETURN) return stack;
  if (now == RESTORE_STACK) return dt_unwind_register(walk->native.registers, HOTSPOT_STACK_REGISTER) & ~15ull;
  if (!is_interpreted) {
    /* An adapter puts arguments of the interpreter below the caller's frame. */
    DT_UNROLL
    for (at = -WORDS_BEFORE; at < 0; at++) {
      u32 word = instruction(managed, at);

      taken |= is_equal(word, TAKE_SENDER_X13) | is_equal(word, TAKE_SENDER_X19);
    }
    if (!taken) return stack;
    most_bytes = MOST_ARGUMENT_BYTES;
  }
  sender = dt_unwind_register(walk->native.registers, HOTSPOT_SENDER_REGISTER(hotspot));
  return sender - stack < most_bytes && !(sender & 7) ? sender : stack;
}

/*
 * The innermost frame of code that has no frame of its own. The return address is in x30.
 */
DT_INLINE int follow_bare(struct dt_stack_walk *walk, const struct dt_hotspot *hotspot) {
  u64 stack = sender_stack(walk, hotspot, is_interpreter(walk, hotspot));

  /* The interpreter is making its frame: the frame pointer leads there already. */
  if (return_by_frame(&walk->native) == hotspot_link(&walk->native)) walk->native.frame_place = walk->native.frame;
  return return_by_register(&walk->native, hotspot, stack);
}

#endif
