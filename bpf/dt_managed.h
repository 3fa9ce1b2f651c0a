/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_managed.h - managed frames: functions of interpreters and virtual machines on a user stack, between the native
 * frames. C and C++; fixed-width types only.
 *
 * A walk writes a managed frame where it would write an address. The value names a record in the pool (dt_unwind.h),
 * which the walk made when it first saw the function: its name, its file, and what tells lines. The record stays as it
 * is until tracing ends, so the consumer makes the text whenever it wants to, also after the process has ended.
 *
 * What a reader would get wrong: a record is found by its content, not by an address in the process. Code objects are
 * freed, and others take their memory, even their names' memory. The same content has the same record and so the same
 * value, in all processes: aggregations merge it.
 */
#ifndef DT_MANAGED_H
#define DT_MANAGED_H

#include <linux/types.h>

#include "bpf/dt_unwind.h"

/*
 * The value of a managed frame: a tag that no address of code has; the position in the function; the offset of the record
 * in units of the pool. What positions count depends on the language. Without a record the position says why.
 */
#define DT_MANAGED_TAG		  0x4dull
#define DT_MANAGED_TAG_SHIFT	  56
#define DT_MANAGED_POSITION_SHIFT 32
#define DT_MANAGED_POSITION_MASK  0xffffffull
#define DT_MANAGED_NO_POSITION	  0xffffffull

/* Why a managed frame has no record: its position. Bits of dt_managed_walk.missed are 1 << these. */
enum dt_managed_missed {
	DT_MANAGED_NO_ROOM = 0,	   /* the pool's share for records is full */
	DT_MANAGED_UNREADABLE = 1, /* the memory is not there, or has no function of the language */
};

enum dt_managed_language {
	DT_MANAGED_PYTHON = 1,
	DT_MANAGED_JAVA = 2,
};

#define DT_MANAGED_UNIT_BYTES  64
#define DT_MANAGED_TEXTS       3
/* Size of a text in a record; a longer text is cut, and the record says so. */
#define DT_MANAGED_TEXT_BYTES  256
/* Size of the table of positions in a record. */
#define DT_MANAGED_TABLE_BYTES 8192

/* Which text is what. */
enum dt_managed_text_role {
	DT_MANAGED_NAME = 0, /* of the function, qualified as far as the language has it in one text */
	DT_MANAGED_FILE = 1,
	DT_MANAGED_SCOPE = 2, /* class or module, where it is a text of its own */
};

struct dt_managed_text {
	__u16 size_bytes;
	__u8 width; /* bytes of a character: 1 (Latin-1), 2 or 4; 0: UTF-8 */
	__u8 is_cut;
};

/*
 * A record, at a multiple of DT_MANAGED_UNIT_BYTES and in one block of the pool. Behind it lie the texts, each from a
 * unit's start on, then the table.
 */
struct dt_managed_record {
	__u64 digest[2]; /* of the content */
	__u32 language;	 /* enum dt_managed_language */
	__u32 version;	 /* of the language, as it numbers itself: what the table is like */
	__u32 first_line;
	__u32 table_bytes; /* that are here */
	__u32 is_table_cut;
	struct dt_managed_text texts[DT_MANAGED_TEXTS];
	__u32 detail; /* the language's own */
	__u32 reserved[2];
};

/*
 * The share of the pool for records. Consumer: makes it when it sees the first process with managed code. Lies in the
 * pool's first block, behind the table of what has been asked for.
 *
 * The index has a word for a record: the high half of digest[0], and the record's unit in the low 32 bits; 0: none. A
 * record is complete before its word is written, and neither is ever written again.
 */
struct dt_managed_share {
	__u32 index;	/* offset; 0: there is no share yet */
	__u32 nr_words; /* a power of two */
	__u32 first_unit, nr_units;
	__u64 taken; /* units, by programs; may run past nr_units */
	__u64 reserved[5];
};
#define DT_MANAGED_SHARE_PLACE	 4096
#define DT_MANAGED_PROBES	 32 /* words of the index that are looked at for one record */

/*
 * What programs know of a language's runtime in a process. In the pool, in one block, at a multiple of
 * DT_MANAGED_RUNTIME_BYTES. A mapping of code leads to it by its flags: the offset in units of so many bytes, in the bits
 * from DT_MANAGED_RUNTIME_SHIFT on.
 */
#define DT_MANAGED_RUNTIME_BYTES 512
#define DT_MANAGED_RUNTIME_SHIFT 12

struct dt_managed_runtime {
	__u32 language;
	__u32 version;
	__u64 words[DT_MANAGED_RUNTIME_BYTES / 8 - 1]; /* as the language has it: struct dt_python, ... */
};

/* Parts of a walk's memory. */
struct dt_managed_source {
	__u64 address; /* of the text, or of the table, in the process */
	__u32 size_bytes;
	__u32 width;
};
#define DT_MANAGED_MORE_JAVA 2 /* dt_managed_walk.more */

/*
 * The function that dt_managed_intern() makes the frame's value of, and what the walk keeps between two frames. What
 * dt_unwind() does not clear a language sets when it begins.
 */
struct dt_managed_walk {
	__u32 runtime; /* of the native frame that managed frames are put before: as in flags, 0: none */
	__u32 more;    /* there may be more of them; DT_MANAGED_MORE_JAVA: Java methods that replace the native frame */
	__u32 missed;  /* bits, by enum dt_managed_missed */
	__u32 has_anchor;
	__u64 pc, from,
		to; /* the native frame's address, and part of the stack: stack pointer, and that of its caller */
	__u64 bias; /* of its mapping */
	/*
	 * Which native frame the next managed frames are put before, with has_anchor: the one whose part of the stack has
	 * this address. Otherwise the language is asked at each native frame of its mapping.
	 */
	__u64 anchor;
	__u64 is_begun; /* the language's own */
	__u64 last;	/* function of the last record */
	__u64 state[8]; /* the language's own */
	__u64 entry;	/* the value of the frame that was found last */

	/* In: the function. */
	__u64 function; /* what it is for the process, while the walk goes on; not 0 */
	__u32 language, version, first_line, detail;
	__u64 position;
	struct dt_managed_source texts[DT_MANAGED_TEXTS];
	struct dt_managed_source table;

	/* Buffers. unit: of the last record; 0: it has none. */
	__u64 unit, round, probe, free, copied;
	struct dt_managed_record record;
	__u8 text_bytes[DT_MANAGED_TEXTS + 1]
		       [DT_MANAGED_TEXT_BYTES]; /* a power of two in all; the last: of the table */
	__u64 object[32], head[16];		/* of the process, as the language wants it */
	__u64 runtime_mask;   /* of runtimes' offsets in mappings' flags; 0: no managed frames are wanted */
	__u32 thread_pointer; /* in task_struct: where the thread's own variables are counted from; 0: not known */
	__u32 shows;	      /* DT_UNWIND_LINES, DT_UNWIND_INLINED */

	/* Java: the method of the next frame, and those that it was inlined in. */
	__u64 method;		       /* Method *; 0: there is none */
	__u64 bytecode;		       /* its address, or with is_scoped its offset in the method */
	__u64 scope, scopes, metadata; /* the next one's offset, 0: there is none; addresses */
	__u32 is_scoped;
	__u32 is_end; /* the walk ends behind them */
};

/* The memory of dt_unwind(): a walk, and its managed frames. The frames of both lie behind it. */
struct dt_stack_walk {
	struct dt_managed_walk managed;
	struct dt_unwind_walk native;
};

/* Bits of dt_unwind()'s flags, beside those of dt_unwind.h; from the last one on dt_managed_walk.thread_pointer. */
#define DT_UNWIND_NATIVE       4  /* no managed frames are wanted */
#define DT_UNWIND_LINES	       8  /* of languages that do not always have them */
#define DT_UNWIND_INLINED      16 /* inlined methods of them have frames of their own */
#define DT_UNWIND_THREAD_SHIFT 16

#endif
