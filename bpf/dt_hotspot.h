/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_hotspot.h - what a walk knows of HotSpot, the Java virtual machine, in a process: its code cache as the machine's
 * own tables describe it (gHotSpotVMStructs). C and C++; fixed-width types only.
 *
 * Code lies in heaps, in blocks of whole segments. A heap's segment map has a byte for each segment: 0 where a block
 * begins, DT_HOTSPOT_SEGMENT_FREE where there is none, else a number of segments to go back. A block begins with a
 * header, then a CodeBlob, which has the size of the frames of its code.
 */
#ifndef DT_HOTSPOT_H
#define DT_HOTSPOT_H

#include <linux/types.h>

struct dt_hotspot_heap {
	__u64 start, size_bytes; /* size 0: there is no such heap */
	__u64 segment_map;	 /* address in the process */
	__u32 segment_shift;
	__u32 reserved;
};
#define DT_HOTSPOT_HEAPS	4
#define DT_HOTSPOT_SEGMENT_FREE 0xff

/* As much of a CodeBlob as a walk reads: all offsets in it are below. */
#define DT_HOTSPOT_BLOB_BYTES	128

/* A bit of a mapping's flags (dt_unwind.h): it is the code cache, and its runtime is a struct dt_hotspot. */
#define DT_HOTSPOT_CACHE	2

/* A struct dt_managed_runtime of language DT_MANAGED_JAVA. Offsets are in bytes. */
struct dt_hotspot {
	__u32 language, version;
	__u64 cache_start, cache_bytes; /* all heaps lie there */
	__u64 interpreter_start, interpreter_bytes;
	struct dt_hotspot_heap heaps[DT_HOTSPOT_HEAPS];
	__u16 block_header_bytes;
	/* In CodeBlob. */
	__u16 name;	      /* const char * */
	__u16 frame_size;     /* s32, words with the return address; 0, -1: the code has no frames of one size */
	__u16 frame_complete; /* s32 or s16, from the code's start: where the frame has been made; -1: not known */
	__u16 frame_complete_bytes;
	__u16 code; /* where the code starts: an address, or a s32 offset in the CodeBlob */
	__u16 code_is_offset;
	__u16 method; /* Method *, of compiled methods */
	/* From a Method to the names of the method and of its class. */
	__u16 method_const;    /* in Method: ConstMethod * */
	__u16 const_constants; /* in ConstMethod: ConstantPool *; both in its first DT_HOTSPOT_CONST_BYTES */
	__u16 const_name;      /* in ConstMethod: u16, which constant */
	__u16 constants_length;
	__u16 constants_holder; /* in ConstantPool: Klass * */
	__u16 constants_bytes;	/* of a ConstantPool: behind it are the constants, a word each */
	__u16 klass_name;	/* in Klass: Symbol * */
	__u16 symbol_length, symbol_body;
};
#define DT_HOTSPOT_CONST_BYTES 64

#endif
