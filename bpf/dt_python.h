/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_python.h - what programs know of CPython in a file: struct dt_managed_runtime (dt_managed.h) of language
 * DT_MANAGED_PYTHON. Compiled by the consumer (runtime/unwind/python_runtime.*), followed by programs/python.h.
 *
 * Positions are code units of two bytes, from the start of a function's code. The version is Python's own,
 * (major << 8 | minor). The table is co_lnotab (3.9) or co_linetable.
 */
#ifndef DT_PYTHON_H
#define DT_PYTHON_H

#include <linux/types.h>

#include "bpf/dt_managed.h"

/* How native frames of the evaluating function stand for Python's. */
enum dt_python_frames {
	/* Each for one: the thread's innermost frame object and those it leads back to. */
	DT_PYTHON_ONE_EACH = 1,
	/*
	 * So, too; and each has a structure on the stack (CFrame), which leads to that of the evaluation around it. The
	 * thread has the innermost one.
	 */
	DT_PYTHON_ONE_CHAINED = 2,
	/* Each for those from its structure's current frame up to one that is marked as the first. */
	DT_PYTHON_MARKED = 3,
	/* Each for those up to a frame that is nobody's and lies on the stack; it has such a structure, too. */
	DT_PYTHON_SENTINEL_CHAINED = 4,
	/* So, without the structure: the thread has the innermost frame. */
	DT_PYTHON_SENTINEL = 5,
};

/* Offsets are in bytes. Where an offset may be absent, DT_PYTHON_NONE. */
struct dt_python {
	__u32 language, version;
	/* Addresses, counted as pages are: from dt_unwind_mapping.bias. */
	__u64 runtime;	  /* _PyRuntime */
	__u64 code_type;  /* PyCode_Type */
	__u64 evaluation; /* _PyEval_EvalFrameDefault */
	__u64 evaluation_bytes;
	__u32 frames;		    /* enum dt_python_frames */
	__u32 runtime_key;	    /* u32: pthread key of the thread's state */
	__u32 runtime_current;	    /* state of the thread that has the lock, or DT_PYTHON_NONE */
	__u32 runtime_interpreters; /* the first interpreter */
	__u32 interpreter_next, interpreter_threads;
	__u16 thread_next, thread_id, thread_frame, thread_chain;
	__u16 chain_previous, chain_frame;
	__u16 frame_bytes; /* that are read of a frame, at most DT_PYTHON_FRAME_BYTES */
	__u16 frame_code, frame_previous, frame_position;
	__u16 frame_mark; /* u8, whose value mark_value says: the first frame, or nobody's */
	__u16 mark_value;
	__u16 position_is_index;   /* s32, of units or bytes; else the address of an instruction */
	__u16 position_unit_bytes; /* of an index: 1 or 2 bytes of code each are counted */
	__u16 code_bytes;	   /* that are read of a code object, at most DT_PYTHON_CODE_BYTES */
	__u16 code_name, code_file, code_first_line, code_table;
	__u16 code_start;	      /* of the instructions, in the code object */
	__u16 text_ascii, text_other; /* where characters begin */
};

#define DT_PYTHON_NONE	       0xffff
#define DT_PYTHON_FRAME_BYTES  128
#define DT_PYTHON_CODE_BYTES   256

/* Offsets that all versions share. */
#define DT_PYTHON_TYPE	       8  /* of an object: its type */
#define DT_PYTHON_BYTES_SIZE   16 /* of a bytes object */
#define DT_PYTHON_BYTES_START  32
#define DT_PYTHON_TEXT_LENGTH  16 /* of a str, in characters */
#define DT_PYTHON_TEXT_STATE   32 /* bit-field: width in bits 2 to 4, compact 5, ASCII 6 */
#define DT_PYTHON_TEXT_COMPACT 32
#define DT_PYTHON_TEXT_ASCII   64

/* Bounds of what a walk does for one frame, or to find its thread. */
#define DT_PYTHON_INTERPRETERS 4
#define DT_PYTHON_THREADS      256
#define DT_PYTHON_KEYS	       1024 /* of pthreads */
#define DT_PYTHON_INLINED      512  /* Python frames of one native frame */

#endif
