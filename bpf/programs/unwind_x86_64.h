/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * unwind_x86_64.h - what a walk reads of instructions, on x86-64.
 */
#ifndef DT_PROGRAMS_UNWIND_X86_64_H
#define DT_PROGRAMS_UNWIND_X86_64_H

#include "bpf/programs/unwind.h"

#define DT_X86_SYSCALL 0x050f

/* Where glibc keeps values of pthread keys, from the thread pointer; 0: not known. */
#define DT_THREAD_SPECIFIC 0x510

/* The thread pointer is the thread's pthread_t. */
#define DT_THREAD_BYTES 0

/* Is the instruction before the address `syscall`? */
DT_INLINE int dt_unwind_is_behind_system_call(u64 address) {
  u16 instruction = 0;

  return !dt_unwind_read(&instruction, sizeof(instruction), address - sizeof(instruction)) &&
         instruction == DT_X86_SYSCALL;
}

/* The bits of a return address that are one: all. */
DT_INLINE u64 dt_unwind_code_address(const struct dt_unwind_walk *walk, u64 value) { return value; }

/* Code that leads to functions of other files has rules. */
DT_INLINE int dt_unwind_in_linkage(u64 address) { return -1; }

/* Where handlers of signals return to has rules. */
DT_INLINE u64 dt_unwind_signal_registers(u64 address) { return 0; }
#define DT_SIGNAL_STACK 0
#define DT_SIGNAL_PC 0
#define DT_SIGNAL_FRAME 0
#define DT_SIGNAL_OTHER 0
#define DT_SIGNAL_LINK 0

/* Is the instruction before the address perhaps a call? The bytes of a longer one may look like it. */
DT_INLINE int dt_unwind_is_behind_call(u64 address) {
  u64 bytes = 0; /* the last is the one before the address */
  int at;

  if (dt_unwind_read(&bytes, sizeof(bytes), address - sizeof(bytes))) return 0;
  if ((bytes >> 24 & 0xff) == 0xe8) return 1; /* call near, five bytes */
  /* A call by a register or by memory: opcode ff, its extension 2; two to seven bytes. */
  DT_UNROLL
  for (at = 8; at <= 48; at += 8)
    if ((bytes >> at & 0x38ff) == 0x10ff) return 1;
  return 0;
}

#endif
