/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * unwind_aarch64.h - what a walk reads of instructions and of signals' frames, on arm64. Sources: Arm Architecture
 * Reference Manual, "A64 instruction set encoding"; the kernel's <asm/sigcontext.h> and struct rt_sigframe of its
 * signal.c.
 */
#ifndef DT_PROGRAMS_UNWIND_AARCH64_H
#define DT_PROGRAMS_UNWIND_AARCH64_H

#include "bpf/programs/unwind.h"

/* Where glibc keeps values of pthread keys, from the thread pointer; 0: not known. */
#define DT_THREAD_SPECIFIC 0

/* What pthread_t points to lies below the thread pointer, and is no larger. Its size is a matter of glibc's version. */
#define DT_THREAD_BYTES 4096

/* An instruction, without the bits of its operands that may be any. */
#define IS_FORM(word, mask, value) (((word) & (mask)) == (value))

/* The instruction at an address; 0, which is none, if it cannot be read. */
DT_INLINE u32 dt_unwind_instruction(u64 address) {
  u32 word = 0;

  return dt_unwind_read(&word, sizeof(word), address) ? 0 : word;
}

/* Is the instruction before the address SVC? */
DT_INLINE int dt_unwind_is_behind_system_call(u64 address) {
  return IS_FORM(dt_unwind_instruction(address - 4), 0xffe0001f, 0xd4000001);
}

/* Is the instruction before the address BL or BLR, or one that authenticates the address as well? */
DT_INLINE int dt_unwind_is_behind_call(u64 address) {
  u32 word = dt_unwind_instruction(address - 4);

  return IS_FORM(word, 0xfc000000, 0x94000000) || IS_FORM(word, 0xfffffc1f, 0xd63f0000) ||
         IS_FORM(word, 0xfefff800, 0xd63f0800);
}

/* Pointer authentication keeps a signature in the bits that no address of a program has. */
DT_INLINE u64 dt_unwind_code_address(const struct dt_unwind_walk *walk, u64 value) {
  return value & walk->address_mask;
}

#define STORE_FOR_LINKER 0xa9bf7bf0 /* STP x16, x30, [sp, #-16]! */

/*
 * Code that leads to functions of other files (procedure linkage table) has no rules: ADRP of x16, LDR of x17 from it,
 * ADD of x16, BR x17; perhaps behind BTI. Its first entry, which leads to the linker, begins with STORE_FOR_LINKER.
 * Returns how many bytes lie on the stack above the caller's; -1: it is other code.
 */
DT_INLINE int dt_unwind_in_linkage(u64 address) {
  u32 words[6] = {}, word; /* four before the address */

  if (dt_unwind_read(words, sizeof(words), address - 16)) return -1;
  word = words[4];
  if (IS_FORM(word, 0xffffff3f, 0xd503241f)) word = words[5];
  if (word == STORE_FOR_LINKER) return 0;
  if (!IS_FORM(word, 0x9f00001f, 0x90000010) && !IS_FORM(word, 0xffc003ff, 0xf9400211) &&
      !IS_FORM(word, 0xffc003ff, 0x91000210) && word != 0xd61f0220)
    return -1;
  return words[0] == STORE_FOR_LINKER || words[1] == STORE_FOR_LINKER || words[2] == STORE_FOR_LINKER ||
                 words[3] == STORE_FOR_LINKER
             ? 16
             : 0;
}

/*
 * Where handlers of signals return to: MOV x8, #__NR_rt_sigreturn; SVC #0. Returns the distance from the stack pointer
 * to the interrupted registers, behind the signal's siginfo_t and in its ucontext_t; 0: it is other code.
 */
DT_INLINE u64 dt_unwind_signal_registers(u64 address) {
  u32 words[2] = {};

  if (dt_unwind_read(words, sizeof(words), address) || words[0] != 0xd2801168 || words[1] != 0xd4000001) return 0;
  return 128 + 184;
}
/* From there. */
#define DT_SIGNAL_OTHER (19 * 8)
#define DT_SIGNAL_FRAME (29 * 8)
#define DT_SIGNAL_LINK (30 * 8)
#define DT_SIGNAL_STACK (31 * 8)
#define DT_SIGNAL_PC (32 * 8)

#endif
