/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_abi.h - what the BPF programs and the consumer both read. C and C++; fixed-width types only.
 */
#ifndef DT_ABI_H
#define DT_ABI_H

#include <linux/types.h>

/* Head of every record in a ring. Written by bpf. */
struct dt_record {
	__u32 clause; /* ClausePlan::index, or DT_RECORD_FAULT */
	__u32 probe;  /* ProbeId */
	__u64 time;   /* ns, CLOCK_MONOTONIC, start of the firing; 0 unless Plan::timestamps */
};

#define DT_RECORD_FAULT	 0xffffffffu

/*
 * A bare dt_record that only wakes the consumer: an aggregation's tables are filling up. Submitted once, by the insertion that
 * makes new_keys[i] equal to wake_at[i].
 */
#define DT_RECORD_WAKE	 0xfffffffeu

/*
 * A commit that had no record of its own (DT_SPEC_UNHEARD): the consumer makes it from the slot's state. `probe` is the id of
 * the speculation.
 */
#define DT_RECORD_COMMIT 0xfffffffdu

/* A fault: the clause it ended left no record of its own. clause == DT_RECORD_FAULT. */
struct dt_fault_record {
	struct dt_record head;
	__u32 clause;  /* the clause that faulted */
	__u32 kind;    /* DT_FAULT_* */
	__u64 address; /* of BADADDR and its like, index of BADINDEX; else 0 */
	__u32 pc;      /* BPF instruction, or 0xffffffff */
	__u32 pad;
};

/* Fault codes: the D language reference, 7.3. */
enum dt_fault {
	DT_FAULT_UNKNOWN = 0,
	DT_FAULT_BADADDR = 1,
	DT_FAULT_BADALIGN = 2,
	DT_FAULT_ILLOP = 3,
	DT_FAULT_DIVZERO = 4,
	DT_FAULT_NOSCRATCH = 5,
	DT_FAULT_KPRIV = 6,
	DT_FAULT_UPRIV = 7,
	DT_FAULT_TUPOFLOW = 8,
	DT_FAULT_BADSTACK = 9,
	DT_FAULT_BADSIZE = 10,
	DT_FAULT_BADINDEX = 11,
	DT_FAULT_LIBRARY = 1000,
};

/*
 * Life of an enabling: bits of dt_control.state, set and cleared one by one. With neither of them probes fire, so that
 * one load and one comparison (below DT_ACTIVE_STATES) tell a program that it runs, and leave it the bank.
 */
enum dt_state {
	DT_STATE_BANK = 1,    /* the aggregation bank that programs update, 0 or 1; changed by the consumer */
	DT_STATE_SETUP = 2,   /* only BEGIN runs; ended by the consumer */
	DT_STATE_STOPPED = 4, /* only END runs; set by exit() and by the consumer */
};
#define DT_ACTIVE_STATES    2

#define DT_MAX_AGGREGATIONS 256

/*
 * The control block: one element, in section ".bss.dt_control", mapped by the consumer.
 */
struct dt_control {
	__u32 state;	 /* enum dt_state */
	__u32 log_slots; /* slots of each CPU's log, if there are logs; written by the consumer before programs run */
	__u64 boot_wall_offset;	  /* ns; walltimestamp = CLOCK_MONOTONIC + this; written by the consumer */
	__u64 sched_clock_offset; /* ns; CLOCK_MONOTONIC - the scheduler's clock; 0: unknown; written by the consumer */
	__u64 own_memory; /* mm_struct of the consumer; 0: unknown; written by the program "own_memory" before others run */
	__u64 start;	  /* ns of CLOCK_MONOTONIC: when tracing began; written by the consumer before BEGIN */
	__u64 pad_line
		[3]; /* the counters below are written often: they keep off the cache line that every firing reads */
	__u64 new_keys
		[DT_MAX_AGGREGATIONS]; /* keys inserted since the last switch of banks, all CPUs; reset by the consumer */
	__u64 wake_at
		[DT_MAX_AGGREGATIONS]; /* value of new_keys at which to wake the consumer; written by the consumer */
	__u64 nr_unheard;	       /* commits that had no record so far (DT_SPEC_UNHEARD) */
	__u64 walk_left; /* objects that a walk may pass before the consumer empties its buffers; written by both */
};

/*
 * Head of a slot of a CPU's log (option bufpolicy=ring; map "dt_logs"); a struct dt_record and its values follow. Slots are
 * taken in turn, so that the newest record replaces the oldest, and nobody has to be awake for it.
 */
struct dt_log_slot {
	__u32 busy; /* 1: being written */
	__u32 pad;
	__u64 number; /* 1 + how many were taken on this CPU before; 0: holds no record */
};

/*
 * The description of a probe as programs see it that may serve probes not known when they were made (map "dt_names", by
 * probe id; written by the consumer). Texts end with NUL within their space.
 */
struct dt_names {
	char provider[64];
	char module[64];
	char function[512]; /* those of C++ are long; what is cut is reported */
	char name[64];
};

/*
 * Where an argument lies at a site that came to be known while tracing ran (map "dt_operands", key: (variant -
 * DT_FIRST_LATE_VARIANT) * DT_MAX_OPERANDS + number of the argument; written by the consumer). No row: the probe has no such
 * argument there, which reads as 0. Members are those of UserOperand (plan/hook.h).
 */
enum dt_operand_kind {
	DT_OPERAND_UNAVAILABLE = 0,
	DT_OPERAND_CONSTANT = 1,
	DT_OPERAND_REGISTER = 2,
	DT_OPERAND_PAIR = 3,
	DT_OPERAND_MEMORY = 4,
	DT_OPERAND_ADDRESS = 5,
	DT_OPERAND_THREAD = 6,
};
#define DT_OPERAND_SIGNED	1
#define DT_OPERAND_NARROW	2  /* addresses have 32 bits */
#define DT_OPERAND_INDEX_NARROW 4  /* the low 32 bits of the index register count, */
#define DT_OPERAND_INDEX_SIGNED 8  /* sign-extended */
#define DT_OPERAND_FLOAT	16 /* the bits of a floating-point number */
#define DT_NO_REGISTER		0xffff
struct dt_operand {
	__u8 kind; /* enum dt_operand_kind */
	__u8 size_bytes;
	__u8 flags; /* DT_OPERAND_* */
	__u8 scale;
	__u8 shift_bits;
	__u8 pad[3];
	__u16 base, index; /* byte offsets in struct pt_regs, or DT_NO_REGISTER */
	__u32 pad_2;
	__s64 displacement;
};
#define DT_FIRST_LATE_VARIANT 0x80000
#define DT_MAX_OPERANDS	      64

/* The slot of a speculation (map "dt_speculations", index = slot, 1-based; ids: dt_speculation.h). */
#define DT_MAX_SPECULATIONS   1024 /* a free one is searched for in turn */
struct dt_speculation {
	__u32 state; /* dt_speculation.h */
	__u32 pad;
	__u64 bytes; /* used so far; more than specsize: dropped and counted */
};

/*
 * Words (u64) of an aggregation's value, all updated atomically:
 *   count  { n }                      sum  { sum }
 *   min    { value, n }               max  { value, n }          n == 0: no value yet
 *   avg    { n, sum }                 stddev { n, sum, sum of squares low, high }
 *   quantize   { bucket[127] }
 *   lquantize  { bucket[levels + 2] }     llquantize { bucket[] } in the order of base/buckets.h
 * The word count is AggregationPlan::value_words. An aggregation without keys has word
 * AggregationPlan::touched_word, which may lie behind these: other than 0 once it was updated.
 */

#endif
