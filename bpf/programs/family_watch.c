/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * family_watch.c - keeps the map of followed processes (option follow): children join at fork, processes leave at exit.
 *
 * sched_process_fork fires in the parent before the child runs, so that no probe fires in a child that is not in the
 * map yet. sched_process_exit fires for each thread; `live` is 0 when no other thread of the process is left.
 */
#include "bpf/dt_family.h"

#include "bpf/dt_bpf.h"

#include <bpf/bpf_core_read.h> /* wants the types of those before */

char _license[] SEC("license") = "Dual BSD/GPL";

#define PIDTYPE_TGID 1
#define MAX_LEVELS 33 /* MAX_PID_NS_LEVEL + 1 */

/* The members that are read, which libbpf finds in the running kernel. */
struct ns_common {
  unsigned int inum;
} __attribute__((preserve_access_index));
struct pid_namespace {
  struct ns_common ns;
} __attribute__((preserve_access_index));
struct upid {
  int nr;
  struct pid_namespace *ns;
} __attribute__((preserve_access_index));
struct pid {
  unsigned int level;
  struct upid numbers[1];
} __attribute__((preserve_access_index));
typedef struct {
  int counter;
} atomic_t;
struct signal_struct {
  atomic_t live;
  struct pid *pids[4];
} __attribute__((preserve_access_index));
struct task_struct {
  int tgid;
  struct signal_struct *signal;
} __attribute__((preserve_access_index));

const volatile u32 namespace_inode = 0; /* of dtrace's pid namespace; 0: the initial one */

DT_FAMILY_MAP(family); /* the programs' dt_family, if they have it */

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} ends SEC(".maps"); /* wakes the consumer when a process has left; what it holds is not read */

u64 left_out = 0; /* children for which the map had no room */

static u32 number_of(struct task_struct *task) {
  struct pid *pid;
  u32 level;

  if (namespace_inode == 0) return BPF_CORE_READ(task, tgid);
  pid = BPF_CORE_READ(task, signal, pids[PIDTYPE_TGID]);
  level = BPF_CORE_READ(pid, level);
  for (u32 i = 0; i < MAX_LEVELS && i <= level; i++) {
    struct upid *number = (void *)pid + bpf_core_field_offset(pid->numbers) + i * bpf_core_type_size(struct upid);

    if (BPF_CORE_READ(number, ns, ns.inum) == namespace_inode) return BPF_CORE_READ(number, nr);
  }
  return 0;
}

SEC("raw_tp/sched_process_fork")
int family_fork(u64 *context) {
  struct task_struct *parent = (struct task_struct *)context[0], *child = (struct task_struct *)context[1];
  u32 above, number;
  u64 *families;

  if (BPF_CORE_READ(parent, tgid) == BPF_CORE_READ(child, tgid)) return 0; /* a thread */
  above = number_of(parent);
  families = bpf_map_lookup_elem(&family, &above);
  if (!families) return 0;
  number = number_of(child);
  if (!number || bpf_map_update_elem(&family, &number, families, BPF_ANY)) __sync_fetch_and_add(&left_out, 1);
  return 0;
}

SEC("raw_tp/sched_process_exit")
int family_exit(u64 *context) {
  struct task_struct *task = (struct task_struct *)context[0];
  u32 number = number_of(task);

  if (!bpf_map_lookup_elem(&family, &number) || BPF_CORE_READ(task, signal, live.counter) != 0) return 0;
  bpf_map_delete_elem(&family, &number);
  bpf_ringbuf_output(&ends, &number, sizeof number, BPF_RB_FORCE_WAKEUP); /* without room the consumer is awake */
  return 0;
}
