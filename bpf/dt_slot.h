/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_slot.h - head of a slot of scratch memory. The BPF library works in it, the code generator gives out what follows it.
 *
 * Strings that the library works on lie in the slot and are named by their offsets from its start: a callback of bpf_loop()
 * gets one pointer, and the state that it changes must lie in map memory (on the stack it gave wrong results on 6.1).
 */
#ifndef DT_SLOT_H
#define DT_SLOT_H

#include <linux/types.h>

/* What a loop over strings keeps. Every member belongs to the loop that runs; its file says what it means there. */
struct dt_loop {
	__u32 a, b;	    /* offsets in the slot */
	__u32 a_end, b_end; /* ends of the space that may be used */
	__u32 i, j;
	__u32 state;
	__u32 depth;
	__s64 result;
	__u64 value;
	__u64 aux;
	union {
		__u8 set[32]; /* one bit a character */
		__u64 words[4];
	};
};

struct dt_slot {
	__u32 busy;  /* 1: claimed */
	__u32 token; /* strtok(): offset in the token text where it goes on; 0: no string yet, else 1 + offset */
	__u64 base;  /* the slot's own kernel address, for pointers that D sees as numbers */
	__u64 arena_used; /* where in the arena the last block of alloca() or copyin() of this clause ends; see scratch.cpp */
	__u64 allocated; /* bytes that alloca() took in this clause */
	struct dt_loop loop;
};

#endif
