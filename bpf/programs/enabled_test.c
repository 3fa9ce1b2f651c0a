/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * enabled_test.c - answers a program that asks whether a probe is enabled.
 *
 * Attached to the instruction that asks. The program has set a variable of 32 bits to 0, and reads it behind the
 * instruction: it becomes 1. Nothing else is written: a variable that is not 0 is left alone.
 */
#include "bpf/enabled_test.h"
#include <bpf/bpf_tracing.h>
#include <linux/ptrace.h>
#include "bpf/dt_bpf.h"

char _license[] SEC("license") = "Dual BSD/GPL";

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, u64);
} unanswered SEC(".maps"); /* tests whose variable could not be written */

static __always_inline int answer(struct pt_regs *context) {
  u64 cookie = bpf_get_attach_cookie(context), address = (u64)((s64)cookie >> 32), word = 0;
  u16 base = (u16)cookie;
  u32 value = 0, one = 1;
  u32 address_bytes = cookie & DT_TEST_NARROW ? 4 : 8;

  /* By a helper, because the verifier allows no offset that varies in a program's context. */
  if (base != DT_TEST_NO_REGISTER && bpf_probe_read_kernel(&word, sizeof word, (void *)context + base)) return -1;
  address += word;
  if (cookie & DT_TEST_NARROW) address = (u32)address;
  if (cookie & DT_TEST_IN_MEMORY) {
    word = 0;
    if (bpf_probe_read_user(&word, address_bytes, (void *)address)) return -1;
    address = word;
  }
  if (bpf_probe_read_user(&value, sizeof value, (void *)address)) return -1;
  return value != 0 ? 0 : bpf_probe_write_user((void *)address, &one, sizeof one);
}

SEC("uprobe")
int enabled_test(struct pt_regs *context) {
  u32 zero = 0;
  u64 *count;

  if (answer(context) == 0) return 0;
  count = bpf_map_lookup_elem(&unanswered, &zero);
  if (count) __sync_fetch_and_add(count, 1);
  return 0;
}
