/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * unwind_hotspot_x86_64.h - what the instructions at a pc say about a Java frame, on x86-64: part of unwind_hotspot.h.
 *
 * A compiled method begins with `mov [rsp-n], eax` (a look at the stack's end), `push rbp`, `sub rsp, n`, or without
 * the look with `sub rsp, n`, `mov [rsp+m], rbp`. It ends with `add rsp, n`, `pop rbp`, `cmp rsp, [r15+n]`, `ja`,
 * `ret`. JDK 11 has another look at whether threads are to stop (poll) before `ret`.
 */
#ifndef DT_PROGRAMS_UNWIND_HOTSPOT_X86_64_H
#define DT_PROGRAMS_UNWIND_HOTSPOT_X86_64_H

/* Words of struct pt_regs. */
#define HOTSPOT_RETURN_REGISTER 10 /* rax: the return address, while it is not on the stack */
#define HOTSPOT_SENDER_REGISTER 2  /* r13: the stack pointer of the caller */

/* From an interpreted frame's pointer to its caller's stack pointer. */
#define HOTSPOT_SENDER_OFFSET (-8)
#define HOTSPOT_SENDER_BELOW 0 /* it lies above the frame */
/* And to a stack pointer or 0. The frame through which the machine calls Java has an address of code there, and all
 * else as an interpreted frame. */
#define HOTSPOT_LAST_STACK_OFFSET (-16)
/* So many bytes below its pointer an interpreted frame is not known by these yet. */
#define HOTSPOT_BEGUN_BYTES 16
/* And to its Method. */
#define HOTSPOT_METHOD_OFFSET (-24)
/* And to the address of the bytecode that it is at, when it has called something; else a register has it (r13). */
#define HOTSPOT_BYTECODE_OFFSET (-64)
#define HOTSPOT_BYTECODE_REGISTER 2

/* The bytes of an instruction that begin a word, or lie in it from a byte on: `bytes` in the order of memory, reversed.
 */
#define BYTES_AT(word, byte, nr_bytes, bytes) (((word) >> (8 * (byte)) & (~0ull >> (64 - 8 * (nr_bytes)))) == (bytes))

struct instructions {
  u64 before, after, beyond; /* eight bytes each: up to the pc, from it on, and behind these */
};

DT_INLINE int is_after_pop(const struct instructions *code) { return BYTES_AT(code->before, 7, 1, 0x5d); }

/* Is only the return address left of the frame? */
DT_INLINE int is_popped(const struct instructions *code) {
  u64 before = code->before, after = code->after;

  if (BYTES_AT(after, 0, 1, 0xc3) || BYTES_AT(after, 0, 2, 0xc3f3)) return 1;       /* ret, rep ret */
  if (BYTES_AT(after, 0, 3, 0x673b49) || BYTES_AT(after, 0, 3, 0xa73b49)) return 1; /* cmp rsp, [r15+n] */
  if (BYTES_AT(after, 0, 2, 0x870f) && (BYTES_AT(before, 4, 3, 0x673b49) || BYTES_AT(before, 1, 3, 0xa73b49)))
    return 1;                                                                                         /* ja behind it */
  if (is_after_pop(code) && (BYTES_AT(after, 0, 1, 0xe9) || BYTES_AT(after, 0, 2, 0xe0ff))) return 1; /* jmp */
  /* The poll of older machines: test eax, [rip+n], ret; or mov r10, [r15+n], test [r10], eax, ret. */
  if (BYTES_AT(after, 0, 2, 0x0585) && BYTES_AT(after, 6, 1, 0xc3)) return 1;
  if (is_after_pop(code) && (BYTES_AT(after, 0, 3, 0x578b4d) || BYTES_AT(after, 0, 3, 0x978b4d))) return 1;
  if (BYTES_AT(after, 0, 4, 0xc3028541)) return 1;
  /* Where the poll jumps to: mov r10, n or lea r10, [rip+n]; mov [r15+n], r10; jmp. */
  if (BYTES_AT(after, 0, 2, 0xba49) && BYTES_AT(code->beyond, 2, 3, 0x97894d)) return 1;
  if (BYTES_AT(after, 0, 3, 0x158d4c) && BYTES_AT(after, 7, 1, 0x4d)) return 1;
  if (BYTES_AT(after, 0, 3, 0x97894d) && BYTES_AT(after, 7, 1, 0xe9)) return 1;
  return BYTES_AT(after, 0, 1, 0xe9) && BYTES_AT(before, 1, 3, 0x97894d);
}

/* Before the frame is complete. */
DT_INLINE u32 prologue_state(const struct instructions *code) {
  u64 before = code->before, after = code->after;

  if (BYTES_AT(before, 4, 3, 0xec8348) || BYTES_AT(before, 1, 3, 0xec8148)) { /* behind sub rsp, n */
    if (BYTES_AT(after, 0, 4, 0x246c8948) || BYTES_AT(after, 0, 4, 0x24ac8948)) return FRAME_UNSAVED;
    return FRAME_FULL;
  }
  if (BYTES_AT(before, 5, 3, 0xec8b48)) return FRAME_PUSHED; /* behind push rbp; mov rbp, rsp */
  if (BYTES_AT(before, 7, 1, 0x55) && BYTES_AT(after, 0, 1, 0x48)) return FRAME_PUSHED;
  /* mov [rsp+n], rbp has been, or cmp [r15+n], m, which newer machines have behind the frame's making. */
  if (BYTES_AT(before, 3, 4, 0x246c8948) || BYTES_AT(before, 0, 4, 0x24ac8948)) return FRAME_FULL;
  if (BYTES_AT(after, 0, 2, 0x8141) || BYTES_AT(before, 0, 2, 0x8141)) return FRAME_FULL;
  return FRAME_NONE;
}

DT_INLINE int read_instructions(u64 pc, struct instructions *code) {
  return dt_unwind_read(code, sizeof(*code), pc - sizeof(code->before)) ? -1 : 0;
}

/* State of a runtime stub's frame. Stubs do not say where their frame is complete: many save all registers behind `mov
 * rbp, rsp`. */
DT_INLINE u32 runtime_frame_state(const struct instructions *code) {
  u64 before = code->before, after = code->after;

  if (BYTES_AT(before, 7, 1, 0x55) && BYTES_AT(after, 0, 1, 0x48)) return FRAME_PUSHED;
  if ((BYTES_AT(before, 4, 3, 0xec8348) || BYTES_AT(before, 1, 3, 0xec8148)) && BYTES_AT(after, 0, 4, 0x246c8948))
    return FRAME_UNSAVED;
  return FRAME_LINKED;
}

/* State of the innermost frame of compiled code, and of stubs that have frames of one size. `complete`: where frames of
 * a method are complete; 0: it is not known. */
DT_INLINE u32 compiled_frame_state(const struct dt_stack_walk *walk, const struct dt_hotspot *hotspot, u64 words,
                                   u64 complete) {
  struct instructions code = {};
  u64 pc = walk->native.pc;

  if (pc == blob_code(&walk->managed, hotspot)) return FRAME_NONE;
  if (read_instructions(pc, &code)) return FRAME_FULL;
  if (is_popped(&code)) return FRAME_NONE;
  if (BYTES_AT(code.after, 0, 1, 0x5d)) return FRAME_PUSHED; /* pop rbp */
  if (BYTES_AT(code.after, 0, 1, 0x55)) return FRAME_NONE;   /* push rbp */
  if (!complete) return runtime_frame_state(&code);
  return pc < complete ? prologue_state(&code) : FRAME_FULL;
}

/* State of the innermost frame of a stub or of the interpreter. FRAME_FULL: perhaps one that the frame pointer leads
 * to. */
DT_INLINE u32 stub_frame_state(const struct dt_stack_walk *walk, const struct dt_hotspot *hotspot, int is_interpreted) {
  struct instructions code = {};
  u64 pc = walk->native.pc;

  if (is_interpreted) return FRAME_FULL;
  if (is_bare_blob(blob_name(&walk->managed, hotspot)) || pc == blob_code(&walk->managed, hotspot) ||
      read_instructions(pc, &code))
    return FRAME_NONE;
  if (BYTES_AT(code.after, 0, 1, 0xc3) || BYTES_AT(code.after, 0, 2, 0xc3f3)) return FRAME_NONE;
  if (BYTES_AT(code.after, 0, 4, 0xec8b4855)) return FRAME_NONE; /* push rbp; mov rbp, rsp */
  if (BYTES_AT(code.before, 7, 1, 0x55) && BYTES_AT(code.after, 0, 3, 0xec8b48)) return FRAME_PUSHED;
  if (BYTES_AT(code.after, 0, 2, 0xc35d)) return FRAME_PUSHED; /* pop rbp; ret */
  return FRAME_FULL;
}

/*
 * The innermost frame of code that keeps none: stubs and adapters. Their return address is on top of the stack or,
 * while an adapter arranges arguments, in a register, and the caller's stack pointer in another one.
 */
DT_INLINE int follow_bare(struct dt_stack_walk *managed_walk, const struct dt_hotspot *hotspot) {
  struct dt_unwind_walk *walk = &managed_walk->native;
  u64 address = dt_unwind_register(walk->registers, HOTSPOT_RETURN_REGISTER);
  u64 sender = dt_unwind_register(walk->registers, HOTSPOT_SENDER_REGISTER), saved = 0;

  if (!return_from(walk, hotspot, walk->stack, 0)) {
    /* An adapter has put arguments of the interpreter below the caller's frame, and the address below these. */
    if (walk->pc == address && sender - walk->stack < MOST_ARGUMENT_BYTES && !(sender & 7)) walk->stack = sender;
    return 0;
  }
  if (!may_be_return(hotspot, address)) return 1;
  /* The interpreter is making its frame: the frame pointer leads there already. A frame that is made has more words. */
  if (walk->frame - walk->stack <= HOTSPOT_BEGUN_BYTES && !read_word(walk, walk->frame + 8, &saved) && saved == address)
    walk->frame_place = walk->frame;
  if (sender - walk->stack < MOST_FRAME_BYTES && !(sender & 7)) walk->stack = sender;
  walk->pc = address;
  walk->return_place = 0;
  walk->other_place = DT_UNWIND_NOWHERE;
  walk->flags = DT_UNWIND_RETURNED;
  return 0;
}

#endif
