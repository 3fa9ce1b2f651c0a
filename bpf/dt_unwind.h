/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_unwind.h - how a user stack is walked: the way from a frame to its caller, as the consumer compiles it from the call
 * frame information of a file (runtime/unwind/) and programs follow it. C and C++; fixed-width types only.
 *
 * Three registers are followed: the stack pointer, the frame pointer, and one more that functions keep for their caller
 * and that hand-written code counts its frame from (x86-64: rbx). The canonical frame address (CFA) is the caller's stack
 * pointer. Where calls leave the return address in a register (arm64: x30), that one is known in the innermost frame and
 * in frames that a signal has interrupted.
 */
#ifndef DT_UNWIND_H
#define DT_UNWIND_H

#include <linux/types.h>

/* What an address is counted from. */
enum dt_unwind_base {
	DT_UNWIND_NONE = 0,  /* of a CFA: there is no rule; of a register: the caller has the same value */
	DT_UNWIND_CFA = 1,   /* the CFA; not of a CFA */
	DT_UNWIND_STACK = 2, /* the stack pointer */
	DT_UNWIND_FRAME = 3, /* the frame pointer */
	DT_UNWIND_OTHER = 4, /* the third register */
	DT_UNWIND_LOST = 5,  /* of a register: its value in the caller is not known */
	DT_UNWIND_END = 6,   /* of the return address: there is no caller */
	/*
	 * A register that is known in the innermost frame only. For the return address: the register holds the value itself,
	 * not its address.
	 */
	DT_UNWIND_REGISTER = 7,
};

/* Bits of dt_unwind_rule.flags. */
#define DT_UNWIND_DEREFERENCE 1 /* the CFA is the word at the address */
#define DT_UNWIND_SIGNAL      2 /* the frame of a signal: its caller was interrupted, not called */
#define DT_UNWIND_PLT	      4 /* add 8 to the CFA if the instruction's address has plt_from or more in its low four bits */

/* One way from a frame to its caller. In the pool one has DT_UNWIND_UNIT_BYTES. */
struct dt_unwind_rule {
	__s32 cfa_offset; /* bytes, from the base; as those that follow */
	__s32 return_offset;
	__s32 frame_offset;
	__s32 other_offset;
	__u8 cfa;	     /* enum dt_unwind_base: of the CFA */
	__u8 return_address; /* where it lies in memory; DT_UNWIND_NONE: in the register that calls leave it in */
	__u8 frame;	     /* where the caller's frame pointer lies in memory */
	__u8 other;	     /* where the caller's third register lies in memory */
	__u8 flags;
	__u8 plt_from;
	/* For DT_UNWIND_REGISTER: DWARF's numbers; in the pool, which word of struct pt_regs. */
	__u8 cfa_register, return_register;
};

/*
 * The pool: what programs look up (map "dt_unwind_pool"), an array of blocks that lie one behind the other in the
 * consumer's mapping. All offsets are in bytes from its start. No record lies across two
 * blocks. The first block begins with a table of what has been asked for, so no record has offset 0.
 *
 * The consumer writes, and what it writes is reached through one word, which it writes last.
 */
#define DT_UNWIND_BLOCK_BYTES 65536
#define DT_UNWIND_ASKED	      1024 /* words of 32 bits at the pool's start: processes, by the low bits of their number */

#define DT_UNWIND_PAGE_SHIFT  12 /* rules are kept by pages of code, whatever pages the kernel has */

/*
 * The word of a page: the offset of its first row in the low 32 bits, the number of its rows in the high ones. 0: the page
 * has no rows yet.
 */
#define DT_UNWIND_PAGE_ASKED  1 /* nothing yet, and the consumer has been asked */
#define DT_UNWIND_COUNT_SHIFT 32

/*
 * A row, 32 bits: the offset in the page from which on the rule holds, and above 0 bits the rule's offset in units. Rows are
 * sorted, the first is at offset 0.
 */
#define DT_UNWIND_RULE_BITS   20
#define DT_UNWIND_UNIT_BYTES  32 /* of offsets of rules and of lists of mappings */

/* An executable mapping of a process. Lists are sorted, within one block. */
struct dt_unwind_mapping {
	__u64 start, end;
	__u64 bias;  /* address in the process less the address that pages are counted from */
	__u32 pages; /* offset of the word of page 0; 0: there are no rules, frames are followed by frame pointers */
	__u32 flags; /* DT_UNWIND_KEEPS_FRAMES */
};
/* All code there keeps frame pointers, also across stacks (Go), so that one that leads to another stack is right. */
#define DT_UNWIND_KEEPS_FRAMES 1
#define DT_UNWIND_MAPPINGS     2048 /* of a process, as many as a block has */

/* What is known of a process (map "dt_unwind_processes", by its number). */
struct dt_unwind_process {
	__u64 stack_start; /* of its first stack, as in its memory map: another program has another one */
	__u32 mappings;	   /* offset of the list */
	__u32 nr_mappings;
};

/* A file of code (map "dt_unwind_files"), as the kernel knows it: another one when it has been written to. */
struct dt_unwind_file_key {
	__u64 inode;
	__s64 changed_s; /* its time of change */
	__u32 changed_ns;
	__u32 device; /* major number << 20 | minor number */
};
#define DT_UNWIND_CHANGED_NS 0x3fffffff /* newer kernels keep flags above */

/* How it is mapped by a process whose mappings are not known yet. Only files that are in one piece of code. */
struct dt_unwind_file {
	__u64 start; /* offset in the file that pages are counted from */
	__u64 size_bytes;
	__u32 pages, flags; /* as in struct dt_unwind_mapping */
};

/* What a walk has to know of the kernel, and of the programs that it is linked to: byte offsets in structures, from BTF. */
struct dt_unwind_layout {
	__u32 task_mm, task_parent, task_tgid, task_utask;
	__u32 mm_stack_start, mm_code_start, mm_task_size;
	__u32 mm_out_of_line; /* uprobes_state.xol_area */
	__u32 area_start;
	__u32 utask_returns; /* return_instances */
	__u32 return_stack, return_address, return_next;
	__u32 vma_start, vma_end, vma_flags, vma_file, vma_page;
	__u32 file_inode, inode_number, inode_changed_s, inode_changed_ns, inode_super, super_device;
	__u32 knows_files;			 /* 0: the kernel does not say what is in the line above */
	__u32 page_bytes;			 /* of the kernel's pages; the loader's */
	__u32 pc, stack, frame, other;		 /* in struct pt_regs */
	__u32 link;				 /* so, the return address; 0: no register has it */
	__u32 narrow, narrow_mask, narrow_value; /* the register that tells 32-bit programs; value 0: there are none */
	__u32 most;				 /* frames of the longest walk */
};

/* What programs ask the consumer for (ring buffer "dt_unwind_asks"). */
enum dt_unwind_wanted {
	DT_UNWIND_WANT_PROCESS = 0, /* its mappings */
	DT_UNWIND_WANT_PAGE = 1,    /* the rules of a page, by the offset of its word */
};
struct dt_unwind_ask {
	__u32 wanted; /* enum dt_unwind_wanted */
	__u32 pid;
	__u64 place;
	__u64 stack; /* stack pointer of the frame that the walk has come to */
};

/*
 * A mark of the program that a process executes, of 24 bits: addresses are named later, when the process may execute another
 * program. It is made of where the stack and the code begin. exec changes these, and /proc/PID/stat shows them. 0: not
 * known. The bits from DT_IMAGE_CODE_SHIFT on depend on the page of the code's start alone, which mappings show, too.
 */
#define DT_IMAGE_CODE_SHIFT 12

static inline __attribute__((always_inline)) __u32 dt_image_code(__u64 code_start)
{
	return (__u32)((code_start >> 12) * 0x9e3779b97f4a7c15ull >> 52) << DT_IMAGE_CODE_SHIFT;
}

static inline __attribute__((always_inline)) __u32 dt_image_mark(__u64 stack_start, __u64 code_start)
{
	return dt_image_code(code_start) | (__u32)(stack_start * 0x9e3779b97f4a7c15ull >> 52) | 1;
}

/*
 * The first word of a user stack and of a user symbol: the process's number, and above it in a stack how the walk ended;
 * above DT_IMAGE_SHIFT the image's mark.
 */
#define DT_STACK_END_SHIFT 32
#define DT_STACK_END_MASK  0xff
#define DT_IMAGE_SHIFT	   40

/* How a walk ended. 0 is not shown. */
enum dt_unwind_end {
	DT_UNWIND_WHOLE = 0,
	DT_UNWIND_NO_TABLE = 1,	  /* the consumer has not brought the rules yet */
	DT_UNWIND_NO_RULE = 2,	  /* code that nobody says anything about, or a return address that leads nowhere */
	DT_UNWIND_UNREADABLE = 3, /* the stack's memory is not there */
	DT_UNWIND_TOO_DEEP = 4,	  /* there are more frames than were asked for */
};

/* What programs know before they walk: bits of dt_unwind()'s flags. */
#define DT_UNWIND_AT_BOUNDARY  1 /* the return address is on top of the stack, or in its register */
#define DT_UNWIND_RETURNED     2 /* the first frame's address is the one that a call returned to */
/* What a walk finds out: bits of its flags. */
#define DT_UNWIND_STACK_LOST   256 /* the frame's stack pointer is not known, but is not below `stack` */

#define DT_UNWIND_WINDOW_BYTES 512
#define DT_UNWIND_WINDOW_BELOW 64 /* from the word that is wanted: callees save registers below their return address */

/* A walk, and its result. In scratch memory, the frames behind it. */
struct dt_unwind_walk {
	__u64 pc, stack, frame, other; /* of the frame that is walked from */
	__u64 link;		       /* its register of return addresses: not of a frame that has called another */
	/* Where the registers' values lie in the process; 0: in the members above, DT_UNWIND_NOWHERE: nobody knows. */
	__u64 frame_place, other_place, link_place;
	__u64 address_mask;	       /* bits of an address; a return address has its signature above */
	__u64 return_place;	       /* where the return address was read */
	__u64 start, size_bytes, bias; /* the mapping that the last frame was in */
	__u64 registers;	       /* the kernel's address of struct pt_regs */
	__u32 pages;
	__u32 pid;
	__u32 nr_frames;
	__u32 most;  /* frames that are wanted */
	__u32 flags; /* DT_UNWIND_RETURNED, DT_UNWIND_STACK_LOST: of the frame that is walked from */
	__u32 end;   /* enum dt_unwind_end */
	__u32 mappings, nr_mappings;
	__u32 mapping_flags;
	__u32 owner; /* the process whose mappings these are: pid, or the parent that it still shares its program with */
	__u32 image; /* dt_image_mark() */
	__u32 reserved;
	__u64 word;		       /* what was read last */
	__u64 window_at, window_bytes; /* of the copy, where it lies in the process */
	/* A copy of a part of the stack: to read one word from a process costs as much as to read many. */
	__u64 window[DT_UNWIND_WINDOW_BYTES / 8];
	__u64 frames[];
};
#define DT_UNWIND_NOWHERE 1

#endif
