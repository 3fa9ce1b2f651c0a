/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * linker_wait.c - a process waits in its dynamic linker until the consumer has looked at what has been mapped.
 *
 * Attached to _dl_debug_state(), which the linker calls when its list of objects has changed and before anything in the
 * new ones runs. It asks the consumer, and goes on once the consumer says that it has seen all mappings made until now,
 * or after WAIT_NS: a consumer that is stopped, or is gone, must not hold the process.
 */
#include "bpf/linker_wait.h"
#include <bpf/bpf_tracing.h>
#include <linux/ptrace.h>
#include "bpf/dt_bpf.h"
#include "bpf/dt_family.h"

char _license[] SEC("license") = "Dual BSD/GPL";

#define ROUND_STEPS (1 << 20)
#define MAX_ROUNDS 64

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, u64);
} seen SEC(".maps"); /* ns, CLOCK_MONOTONIC: mappings made until then have been looked at; written by the consumer */

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 64 << 10);
} requests SEC(".maps"); /* of struct dt_linker_request */

DT_FAMILY_MAP(family); /* that of family_watch.c, if children are followed */

const volatile struct dt_linker_namespace own_namespace = {};

struct wait {
  volatile u64 *seen;
  u64 since;
  u64 place; /* an address of the process */
};

static long step(u32 index, struct wait *wait) {
  u64 word;

  /*
   * Waits for nothing, but yields the CPU if somebody else wants it: where the kernel is not preempted, the consumer
   * may have nowhere else to run. bpf_copy_from_user() does not.
   */
  bpf_copy_from_user_task(&word, sizeof word, (void *)wait->place, bpf_get_current_task_btf(), 0);
  return *wait->seen >= wait->since || bpf_ktime_get_ns() - wait->since >= DT_LINKER_WAIT_NS;
}

static long round(u32 index, struct wait *wait) {
  bpf_loop(ROUND_STEPS, step, wait, 0);
  return *wait->seen >= wait->since || bpf_ktime_get_ns() - wait->since >= DT_LINKER_WAIT_NS;
}

SEC("uprobe.s")
int linker_wait(struct pt_regs *context) {
  u32 zero = 0;
  struct dt_linker_request request = {.time_ns = bpf_ktime_get_ns(), .pid = bpf_get_attach_cookie(context)};
  struct wait wait = {.since = request.time_ns, .place = PT_REGS_SP(context)};

  /* A site that is set for all processes: those of a family wait. */
  if (request.pid == 0) {
    struct bpf_pidns_info number = {};
    u32 pid = bpf_get_current_pid_tgid() >> 32;

    if (own_namespace.inode != 0) {
      if (bpf_get_ns_current_pid_tgid(own_namespace.device, own_namespace.inode, &number, sizeof number)) return 0;
      pid = number.tgid;
    }
    if (!bpf_map_lookup_elem(&family, &pid)) return 0;
    request.pid = pid;
  }
  wait.seen = bpf_map_lookup_elem(&seen, &zero);
  if (!wait.seen || *wait.seen >= wait.since) return 0;
  /* Without room the consumer is behind with requests of others, and will see this mapping with theirs. */
  bpf_ringbuf_output(&requests, &request, sizeof request, BPF_RB_FORCE_WAKEUP);
  bpf_loop(MAX_ROUNDS, round, &wait, 0);
  return 0;
}
