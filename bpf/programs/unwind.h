/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * unwind.h - what a walk of a user stack asks of its surroundings: the pool, the process's memory and mappings. From
 * the kernel in BPF, from functions that a test supplies on the host.
 */
#ifndef DT_PROGRAMS_UNWIND_H
#define DT_PROGRAMS_UNWIND_H

#include "bpf/dt_bpf.h"
#include "bpf/dt_managed.h"
#include "bpf/dt_unwind.h"

/* Do calls leave the return address in a register, and not on the stack? */
#ifdef __TARGET_ARCH_arm64
#define DT_UNWIND_LINKS 1
#else
#define DT_UNWIND_LINKS 0
#endif

/* Is the frame's stack pointer not known? Never where calls leave the return address on the stack. */
#define DT_UNWIND_LOST_STACK(walk) (DT_UNWIND_LINKS && ((walk)->flags & DT_UNWIND_STACK_LOST))

#ifdef DT_HOST

#define DT_LINKED
#define DT_GLOBAL static
extern struct dt_unwind_layout dt_unwind_layout;
/* The block of that number; NULL: there is none. */
u8 *dt_unwind_block(u64 index);
/* Reads the process's memory. Returns 0 or an error. */
long dt_unwind_read(void *to, u32 size_bytes, u64 from);
/* A word of struct pt_regs. */
u64 dt_unwind_register(u64 registers, u32 word);
/*
 * The pc is in no mapping that is known: finds one (start, size_bytes and pages of the walk), perhaps of another pc.
 * Returns as dt_unwind_locate().
 */
int dt_unwind_outside(struct dt_unwind_walk *walk);
void dt_unwind_ask_page(struct dt_unwind_walk *walk, u8 *block, u64 word_place);
/* Where the thread's own variables are counted from; 0: not known. */
u64 dt_unwind_thread_pointer(u32 member);
extern u64 dt_managed_seed;
/* Fills in the mappings and the registers. Returns 0, or other than 0: there is no user stack. */
long dt_unwind_begin(struct dt_unwind_walk *walk);

#define DT_UNROLL
#define dt_hide(x) __asm__ volatile("" : "+r"(x))
#define dt_masked(place, mask) ((place) & (mask))
#define dt_opaque_u64(x) (x)
#define DT_STEP_OF(type, name) static long name(type *walk)
#define dt_unwind_repeat_of(type, times, body, walk) \
  do {                                               \
    for (u32 __i = 0; __i < (times); __i++)          \
      if (body(walk)) break;                         \
  } while (0)
#define dt_unwind_loop(times, body, context) \
  do {                                       \
    for (u32 __i = 0; __i < (times); __i++)  \
      if (body(__i, context)) break;         \
  } while (0)

#else

/* Set by the loader before programs are: constants to the verifier. */
const volatile struct dt_unwind_layout dt_unwind_layout SEC(".rodata.dt_unwind");
/* So that nobody can make two functions with one digest. */
const volatile u64 dt_managed_seed SEC(".rodata.dt_managed");

/* What other objects call: one copy, which the verifier checks as part of each caller. */
#define DT_LINKED __attribute__((visibility("hidden")))
/* What the verifier checks by itself. */
#define DT_GLOBAL __attribute__((noinline))

struct dt_unwind_block {
  u8 bytes[DT_UNWIND_BLOCK_BYTES];
};

/* The loader sets how many blocks there are. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, struct dt_unwind_block);
} dt_unwind_pool SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 4096);
  __type(key, u32);
  __type(value, struct dt_unwind_process);
} dt_unwind_processes SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 1024);
  __type(key, struct dt_unwind_file_key);
  __type(value, struct dt_unwind_file);
} dt_unwind_files SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 65536);
} dt_unwind_asks SEC(".maps");

#define DT_UNROLL _Pragma("clang loop unroll(full)")
#define dt_hide(x) barrier_var(x)
/* `context` must lie on the stack. */
#define dt_unwind_loop(times, body, context) bpf_loop(times, body, context, 0)
/* The verifier must see the mask and the use of one register. */
#define dt_masked(place, mask) \
  ({                           \
    u64 __at = (place);        \
    barrier_var(__at);         \
    __at &= (mask);            \
    barrier_var(__at);         \
    __at;                      \
  })
#define dt_opaque_u64(x) \
  ({                     \
    u64 __x = (x);       \
    barrier_var(__x);    \
    __x;                 \
  })

/* bpf_loop() hands its body an address on the stack only, so there lies the pointer to the walk. */
#define DT_STEP_OF(type, name)                                                  \
  static inline __attribute__((always_inline)) long name##_inline(type * walk); \
  static long name(u32 index, type **where) { return name##_inline(*where); }   \
  static inline __attribute__((always_inline)) long name##_inline(type * walk)
#define dt_unwind_repeat_of(type, times, body, walk) \
  ({                                                 \
    type *__where = (walk);                          \
    bpf_loop(times, body, &__where, 0);              \
  })

DT_INLINE u8 *dt_unwind_block(u64 index) {
  u32 key = index;

  return bpf_map_lookup_elem(&dt_unwind_pool, &key);
}

DT_INLINE long dt_unwind_read(void *to, u32 size_bytes, u64 from) {
  return bpf_probe_read_user(to, size_bytes, (void *)from);
}

DT_INLINE u64 dt_unwind_register(u64 registers, u32 word) {
  u64 value = 0;

  bpf_probe_read_kernel(&value, sizeof(value), (void *)(registers + word * sizeof(u64)));
  return value;
}

/* ---- asking the consumer ---- */

DT_INLINE long dt_unwind_ask(struct dt_unwind_walk *walk, u32 wanted, u64 place) {
  struct dt_unwind_ask ask = {.wanted = wanted, .pid = walk->pid, .place = place, .stack = walk->stack};

  return bpf_ringbuf_output(&dt_unwind_asks, &ask, sizeof(ask), 0);
}

DT_INLINE void dt_unwind_ask_page(struct dt_unwind_walk *walk, u8 *block, u64 word_place) {
  u64 *word = (u64 *)(block + dt_masked(word_place, (DT_UNWIND_BLOCK_BYTES - 1) & ~7ull));

  /* The first program to see it asks. If the ring buffer is full, the next one does. */
  if (__sync_val_compare_and_swap(word, 0, DT_UNWIND_PAGE_ASKED) == 0 &&
      dt_unwind_ask(walk, DT_UNWIND_WANT_PAGE, word_place))
    __sync_val_compare_and_swap(word, DT_UNWIND_PAGE_ASKED, 0);
}

DT_INLINE void dt_unwind_ask_process(struct dt_unwind_walk *walk) {
  u32 pid = walk->pid;
  u8 *block = dt_unwind_block(0);
  u32 *asked;

  if (!block) return;
  asked = (u32 *)(block + dt_masked((u64)pid * sizeof(u32), (DT_UNWIND_ASKED - 1) * sizeof(u32)));
  if (*(volatile u32 *)asked == pid) return;
  *(volatile u32 *)asked = pid;
  if (dt_unwind_ask(walk, DT_UNWIND_WANT_PROCESS, 0)) *(volatile u32 *)asked = 0;
}

/* ---- the process ---- */

/*
 * Types of the kernel's; their members are found by offsets. Pointers among them are read with kernel_word(): where a
 * program loads one itself, the verifier looks through all of the kernel's types, four times, which takes longer than
 * the rest of it.
 */
struct task_struct;
struct vm_area_struct;

#define WORD_AT(object, offset) (*(u64 *)((u8 *)(object) + (offset)))

DT_INLINE u64 kernel_word(u64 object, u32 offset) {
  u64 value = 0;

  bpf_probe_read_kernel(&value, sizeof(value), (void *)(object + offset));
  return value;
}

/*
 * A child that has not become another program has its parent's memory, or a copy of it: the same stack start, which
 * differs from program to program. And a process that has become another program is not taken for the old one.
 */
DT_INLINE struct dt_unwind_process *dt_unwind_find_process(u32 pid, u64 stack_start) {
  struct dt_unwind_process *process = bpf_map_lookup_elem(&dt_unwind_processes, &pid);

  if (process && process->stack_start == stack_start) return process;
  return NULL;
}

DT_INLINE long dt_unwind_begin(struct dt_unwind_walk *walk) {
  struct task_struct *task = bpf_get_current_task_btf();
  u64 mm = kernel_word((u64)task, dt_unwind_layout.task_mm), stack_start;
  struct dt_unwind_process *process;
  u8 *registers;

  if (!mm) return -1;
  stack_start = kernel_word(mm, dt_unwind_layout.mm_stack_start);
  registers = (u8 *)bpf_task_pt_regs(task);
  /* 0: there are none. Rules are of 64-bit code. */
  if (dt_unwind_layout.narrow_value &&
      (WORD_AT(registers, dt_unwind_layout.narrow) & dt_unwind_layout.narrow_mask) == dt_unwind_layout.narrow_value) {
    walk->end = DT_UNWIND_NO_RULE;
    return -1;
  }
  walk->pc = WORD_AT(registers, dt_unwind_layout.pc);
  walk->stack = WORD_AT(registers, dt_unwind_layout.stack);
  walk->frame = WORD_AT(registers, dt_unwind_layout.frame);
  walk->other = WORD_AT(registers, dt_unwind_layout.other);
  if (DT_UNWIND_LINKS) {
    walk->link = WORD_AT(registers, dt_unwind_layout.link);
    walk->address_mask = kernel_word(mm, dt_unwind_layout.mm_task_size) - 1;
  }
  walk->registers = (u64)registers;
  walk->image = dt_image_mark(stack_start, kernel_word(mm, dt_unwind_layout.mm_code_start));
  process = dt_unwind_find_process(walk->pid, stack_start);
  if (!process) {
    u32 parent = kernel_word(kernel_word((u64)task, dt_unwind_layout.task_parent), dt_unwind_layout.task_tgid);

    process = dt_unwind_find_process(parent, stack_start);
    if (process) walk->owner = parent;
  }
  walk->mappings = process ? process->mappings : 0;
  walk->nr_mappings = process ? process->nr_mappings : 0;
  return 0;
}

DT_INLINE u64 dt_unwind_thread_pointer(u32 member) {
  return member ? kernel_word((u64)bpf_get_current_task_btf(), member) : 0;
}

/* ---- addresses in no mapping that is known ---- */

/* What bpf_find_vma() found. */
struct dt_unwind_found {
  u64 start, end;
  u64 is_executable, file, file_offset;
};

#define DT_VM_EXEC 4         /* the kernel's */

static long dt_unwind_take_vma(struct task_struct *task, struct vm_area_struct *vma, struct dt_unwind_found *found) {
  u64 at = (u64)vma;

  found->start = kernel_word(at, dt_unwind_layout.vma_start);
  found->end = kernel_word(at, dt_unwind_layout.vma_end);
  found->is_executable = kernel_word(at, dt_unwind_layout.vma_flags) & DT_VM_EXEC;
  found->file = kernel_word(at, dt_unwind_layout.vma_file);
  found->file_offset = kernel_word(at, dt_unwind_layout.vma_page) * dt_unwind_layout.page_bytes;
  return 0;
}

/*
 * Return probes replace return addresses, and keep the true ones in a list, the innermost first, each with the stack
 * pointer at its function's entry. That is where the return address lies or, if calls leave it in a register, the CFA.
 */
struct dt_unwind_returns {
  u64 at;
  u64 stack;
  u64 is_least; /* `stack` may be too low */
  u64 address;
};
#define DT_UNWIND_RETURNS 64 /* the kernel nests them no deeper */

static long dt_unwind_look_at_return(u32 index, struct dt_unwind_returns *returns) {
  u64 stack;

  if (!returns->at) return 1;
  stack = kernel_word(returns->at, dt_unwind_layout.return_stack);
  if (stack == returns->stack || (returns->is_least && stack > returns->stack)) {
    returns->address = kernel_word(returns->at, dt_unwind_layout.return_address);
    return 1;
  }
  returns->at = kernel_word(returns->at, dt_unwind_layout.return_next);
  return 0;
}

/* 1: the pc was where return probes return to, and is the true one now. */
DT_INLINE int dt_unwind_true_return(struct dt_unwind_walk *walk, struct task_struct *task) {
  u64 mm = kernel_word((u64)task, dt_unwind_layout.task_mm);
  u64 area = kernel_word(mm, dt_unwind_layout.mm_out_of_line);
  u64 utask = kernel_word((u64)task, dt_unwind_layout.task_utask);
  struct dt_unwind_returns returns = {.stack = DT_UNWIND_LINKS ? walk->stack : walk->return_place,
                                      .is_least = DT_UNWIND_LOST_STACK(walk)};

  if (!area || !utask || walk->pc != kernel_word(area, dt_unwind_layout.area_start)) return 0;
  returns.at = kernel_word(utask, dt_unwind_layout.utask_returns);
  bpf_loop(DT_UNWIND_RETURNS, dt_unwind_look_at_return, &returns, 0);
  if (!returns.address) return 0;
  walk->pc = returns.address;
  return 1;
}

DT_GLOBAL int dt_unwind_find_mapping(struct dt_unwind_walk *walk, u64 address);
DT_INLINE u64 pc_to_look_up(const struct dt_unwind_walk *walk);

/*
 * Makes a mapping of a file that is known from other processes the walk's current one: of a process that has just
 * begun, or has just loaded a library. Returns whether it is, and has the pc.
 */
DT_INLINE int dt_unwind_take_file(struct dt_unwind_walk *walk, const struct dt_unwind_found *found) {
  struct dt_unwind_file_key key = {};
  struct dt_unwind_file *file;
  u64 inode, bias, start, end;

  if (!dt_unwind_layout.knows_files) return 0;
  inode = kernel_word(found->file, dt_unwind_layout.file_inode);
  key.inode = kernel_word(inode, dt_unwind_layout.inode_number);
  key.changed_s = kernel_word(inode, dt_unwind_layout.inode_changed_s);
  key.changed_ns = kernel_word(inode, dt_unwind_layout.inode_changed_ns) & DT_UNWIND_CHANGED_NS;
  key.device = kernel_word(kernel_word(inode, dt_unwind_layout.inode_super), dt_unwind_layout.super_device);
  file = bpf_map_lookup_elem(&dt_unwind_files, &key);
  if (!file) return 0;
  bias = found->start + file->start - found->file_offset; /* where page 0 lies, mapped or not */
  start = found->file_offset < file->start ? bias : found->start;
  end = bias + file->size_bytes < found->end ? bias + file->size_bytes : found->end;
  if (pc_to_look_up(walk) - start >= end - start || end < start) return 0;
  walk->start = start;
  walk->size_bytes = end - start;
  walk->bias = bias;
  walk->pages = file->pages;
  walk->mapping_flags = file->flags;
  return 1;
}

DT_INLINE int dt_unwind_outside(struct dt_unwind_walk *walk) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct dt_unwind_found found = {};
  long error;

  if (dt_unwind_true_return(walk, task) && !dt_unwind_find_mapping(walk, walk->pc - 1)) return 0;
  walk->end = DT_UNWIND_NO_TABLE;
  error = bpf_find_vma(task, pc_to_look_up(walk), dt_unwind_take_vma, &found, 0);
  if (error == -16 /* EBUSY: the process is changing its memory map, or this is an NMI */) return 1;
  if (error || !found.is_executable) {
    walk->end = DT_UNWIND_NO_RULE;
    return 1;
  }
  if (found.file) {
    dt_unwind_ask_process(walk);
    return dt_unwind_take_file(walk, &found) ? 0 : 2;
  }
  walk->start = found.start;
  walk->size_bytes = found.end - found.start;
  walk->pages = 0;
  walk->mapping_flags = 0;
  return 0;
}

#endif

#endif
