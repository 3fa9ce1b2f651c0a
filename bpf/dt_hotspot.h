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
	__u16 blob_size;      /* s32, bytes of CodeBlob and code; 0: the member is not known */
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
	/*
	 * Lines: behind a ConstMethod are the bytecodes, and behind these a table of lines. All in ConstMethod's first
	 * DT_HOTSPOT_CONST_BYTES.
	 */
	__u16 const_bytes;    /* of a ConstMethod; 0: there are no lines */
	__u16 const_words;    /* s32: size of a ConstMethod with all that is behind it, in words */
	__u16 const_flags;    /* u16: DT_HOTSPOT_HAS_LINES, ... */
	__u16 const_code;     /* u16: bytes of code */
	__u16 constants_file; /* in ConstantPool: u16, which constant is the name of the source file; 0: it is not known */
	/*
	 * Compiled methods: a table sorted by address (PcDesc) gives the scope of each call. A scope is an inlined method, or the
	 * compiled one, and has the offset of the scope around it.
	 */
	__u16 place_bytes;		 /* of a PcDesc; 0: scopes are not known */
	__u16 place_offset, place_scope; /* s32 in PcDesc: offset in the code; offset in the scopes, 0: there is none */
	__u16 immutable;	  /* where the offsets of what follows are counted from: u8 *; 0: from the CodeBlob */
	__u16 places, places_end; /* s32 offsets */
	__u16 scopes;		  /* u8 *, or with scopes_is_offset an s32 offset */
	__u16 scopes_is_offset;
	__u16 metadata_base; /* where the offset of the metadata is counted from: u8 *; 0: from the CodeBlob */
	__u16 metadata;	     /* s32 offset of an array of Method * */
	__u16 number_bias;   /* of a byte of a number in a table of lines or in a scope; before JDK 20 0, then 1 */
};
#define DT_HOTSPOT_HAS_LINES	    1
#define DT_HOTSPOT_ANNOTATION_SHIFT 7 /* four bits, for each a pointer at the end of a ConstMethod */

/*
 * The position of a Java frame: the bytecode's offset in the method, or DT_HOTSPOT_NO_BYTECODE. With DT_HOTSPOT_INLINED
 * the next frame's method is the one that it was inlined in.
 */
#define DT_HOTSPOT_INLINED	    0x800000
#define DT_HOTSPOT_NO_BYTECODE	    0x7fffff
#define DT_HOTSPOT_CONST_BYTES	    64

#endif
