/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * file_users.c - walks the mappings of dtrace, and writes the addresses of those whose files nobody can execute: no
 * mapping of the file, of whichever process, is one that the kernel would set a uprobe in. Those of dtrace, and of
 * other dtraces, are shared, which such a one is not.
 *
 * All mappings of a file are in one tree (address_space.i_mmap). /proc cannot tell: a process may fork and end during a
 * walk, and dtrace may not see all processes. The tree may change while it is walked, so a file is looked at twice.
 */
#include "bpf/dt_bpf.h"

#include <bpf/bpf_core_read.h> /* wants the types of those before */

char _license[] SEC("license") = "Dual BSD/GPL";

/* The members that are read, which libbpf finds in the running kernel. */
struct rb_node {
  struct rb_node *rb_left, *rb_right;
} __attribute__((preserve_access_index));
struct rb_root {
  struct rb_node *rb_node;
} __attribute__((preserve_access_index));
struct rb_root_cached {
  struct rb_root rb_root;
} __attribute__((preserve_access_index));
struct address_space {
  struct rb_root_cached i_mmap;
} __attribute__((preserve_access_index));
struct file {
  struct address_space *f_mapping;
} __attribute__((preserve_access_index));
struct vm_area_struct {
  unsigned long vm_start, vm_flags;
  struct file *vm_file;
  struct {
    struct rb_node rb;
  } shared;
} __attribute__((preserve_access_index));
struct seq_file;
struct bpf_iter_meta {
  struct seq_file *seq;
} __attribute__((preserve_access_index));
struct bpf_iter__task_vma {
  struct bpf_iter_meta *meta;
  struct vm_area_struct *vma;
} __attribute__((preserve_access_index));

#define VM_MAYSHARE 0x80 /* mm.h */
#define MAX_MAPPINGS 256
#define MAX_WAITING 32 /* subtrees */

/* The walk of one tree. One dtrace walks at a time, and each has a program of its own. */
static u64 waiting[MAX_WAITING];
static u32 nr_waiting;
static u32 can_be_executed;

static long look(u32 index, void *unused) {
  struct rb_node *node;
  struct vm_area_struct *vma;
  u64 left, right;

  if (nr_waiting == 0) return 1;
  --nr_waiting;
  node = (struct rb_node *)waiting[nr_waiting & (MAX_WAITING - 1)];
  vma = (void *)node - bpf_core_field_offset(struct vm_area_struct, shared.rb);
  can_be_executed = !(BPF_CORE_READ(vma, vm_flags) & VM_MAYSHARE) || nr_waiting > MAX_WAITING - 2;
  if (can_be_executed) return 1;
  left = (u64)BPF_CORE_READ(node, rb_left);
  right = (u64)BPF_CORE_READ(node, rb_right);
  if (left) waiting[nr_waiting++ & (MAX_WAITING - 1)] = left;
  if (right) waiting[nr_waiting++ & (MAX_WAITING - 1)] = right;
  return 0;
}

SEC("iter/task_vma")
int file_users(struct bpf_iter__task_vma *context) {
  struct vm_area_struct *vma = context->vma;
  struct rb_node *root;
  struct file *file;
  u64 start;

  if (!vma) return 0;
  file = vma->vm_file; /* in an overlay: the file below, which has the pages */
  if (!file) return 0;
  root = file->f_mapping->i_mmap.rb_root.rb_node;
  if (!root) return 0;
  waiting[0] = (u64)root;
  nr_waiting = 1;
  can_be_executed = 0;
  bpf_loop(MAX_MAPPINGS, look, NULL, 0);
  if (can_be_executed || nr_waiting > 0) return 0;
  start = vma->vm_start;
  bpf_seq_write(context->meta->seq, &start, sizeof start);
  return 0;
}
