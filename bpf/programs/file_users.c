/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * file_users.c - walks the mappings of dtrace, and writes the addresses of those that are their files' only ones.
 *
 * Every mapping of a file, of whichever process, is in one tree (address_space.i_mmap). /proc cannot tell: a process
 * may fork and end during a walk, and dtrace may not see all processes.
 */
#include "bpf/dt_bpf.h"

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
  unsigned long vm_start;
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

SEC("iter/task_vma")
int file_users(struct bpf_iter__task_vma *context) {
  struct vm_area_struct *vma = context->vma;
  u64 start;
  struct rb_node *own, *root;
  struct file *file;

  if (!vma) return 0;
  file = vma->vm_file; /* in an overlay: the file below, which has the pages */
  if (!file) return 0;
  own = &vma->shared.rb;
  root = file->f_mapping->i_mmap.rb_root.rb_node;
  if (root != own || own->rb_left || own->rb_right) return 0;
  start = vma->vm_start;
  bpf_seq_write(context->meta->seq, &start, sizeof start);
  return 0;
}
