/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * cgroup_watch.c - gives each new cgroup its entry before a process can be in it, and reports births and removals.
 *
 * Both tracepoints fire with cgroup_mutex held, so that this runs once at a time. A cgroup below one with known names
 * has the same names from its birth. What follows from its own path is decided here; names that runtimes write to files
 * are the consumer's, and until it knows them the entry is not settled.
 */
#include "bpf/dt_cgroup.h"

#include "bpf/dt_bpf.h"

#include <bpf/bpf_core_read.h> /* wants the types of those before */

char _license[] SEC("license") = "Dual BSD/GPL";

/* The members that are read, which libbpf finds in the running kernel. */
struct kernfs_node {
  u64 id;
  const char *name;
} __attribute__((preserve_access_index));
struct cgroup;
struct cgroup_subsys_state {
  struct cgroup *cgroup;
  struct cgroup_subsys_state *parent;
} __attribute__((preserve_access_index));
struct cgroup_root {
  int hierarchy_id;
} __attribute__((preserve_access_index));
struct cgroup {
  struct cgroup_subsys_state self;
  struct kernfs_node *kn;
  struct cgroup_root *root;
} __attribute__((preserve_access_index));

const volatile struct dt_cgroup_watch watch_layout = {};
/* Apart, because a helper takes only constant strings of a map that nobody changes. */
const char wanted_text[DT_CGROUP_WANTED][DT_CGROUP_WANTED_BYTES] SEC(".rodata.wanted") = {};

struct table {
  struct dt_cgroup entries[DT_CGROUP_SETS * DT_CGROUP_WAYS];
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __uint(map_flags, BPF_F_MMAPABLE);
  __type(key, u32);
  __type(value, struct table);
} cgroups SEC(".maps"); /* the programs' .bss.dt_cgroups, if they have it */

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 1 << 20);
} events SEC(".maps"); /* of struct dt_cgroup_event */

struct work {
  struct dt_cgroup_event event;
  char name[DT_CGROUP_WANTED_BYTES];
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, struct work);
} works SEC(".maps");

u64 lost = 0; /* events without room; the consumer walks the hierarchy again */

static struct dt_cgroup *find(struct table *table, u64 id) {
  struct dt_cgroup *set = table->entries + dt_cgroup_set(id) * DT_CGROUP_WAYS;

  for (u32 way = 0; way < DT_CGROUP_WAYS; way++)
    if (set[way].id == id) return &set[way];
  return 0;
}

static void report(struct work *work) {
  u64 bytes = offsetof(struct dt_cgroup_event, path) + (work->event.path_bytes & (sizeof work->event.path - 1));

  if (bpf_ringbuf_output(&events, &work->event, bytes, 0)) __sync_fetch_and_add(&lost, 1);
}

/* Answers that follow from the path alone. */
static void decide(struct work *work, u64 *bits) {
#pragma unroll
  for (u32 i = 0; i < DT_CGROUP_WANTED; i++) {
    u32 kind = watch_layout.wanted_kind[i], bit = watch_layout.wanted_bit[i];
    const char *is = kind == DT_CGROUP_WANTED_PATH ? work->event.path : work->name;

    if (kind == DT_CGROUP_WANTED_NOTHING) continue;
    if (bpf_strncmp(is, DT_CGROUP_WANTED_BYTES, wanted_text[i])) continue;
    if (bit < 64)
      bits[0] |= 1ull << (bit & 63);
    else
      bits[1] |= 1ull << (bit & 63);
  }
}

static void enter(struct table *table, struct work *work) {
  struct dt_cgroup *set = table->entries + dt_cgroup_set(work->event.id) * DT_CGROUP_WAYS;
  struct dt_cgroup *above = find(table, work->event.parent);
  u64 bits[DT_CGROUP_WORDS] = {};

  if (above) {
    u64 first = above->bits[0];

    bits[0] = first & watch_layout.inherited[0];
    bits[1] = above->bits[1] & watch_layout.inherited[1];
    if ((first & 1ull << DT_CGROUP_INSIDE) && (first & 1ull << DT_CGROUP_SETTLED)) bits[0] |= 1ull << DT_CGROUP_SETTLED;
  }
  decide(work, bits);
  if (watch_layout.path_says_all) bits[0] |= 1ull << DT_CGROUP_SETTLED;
  for (u32 way = 0; way < DT_CGROUP_WAYS; way++) {
    if (__sync_val_compare_and_swap(&set[way].id, 0, work->event.id) != 0) continue;
    /* No process is in it yet, so nobody asks before the rest is there. */
    set[way].asked = 0;
    set[way].bits[0] = bits[0];
    set[way].bits[1] = bits[1];
    return;
  }
}

static int changed(struct cgroup *cgroup, const char *path, int is_removal) {
  u32 zero = 0;
  struct work *work = bpf_map_lookup_elem(&works, &zero);
  struct table *table = bpf_map_lookup_elem(&cgroups, &zero);
  long bytes;

  /* Other hierarchies have ids of their own. */
  if (!work || !table || BPF_CORE_READ(cgroup, root, hierarchy_id) != 0) return 0;
  work->event.id = BPF_CORE_READ(cgroup, kn, id);
  work->event.is_removal = is_removal;
  bytes = bpf_probe_read_kernel_str(work->event.path, sizeof work->event.path, path);
  work->event.path_bytes = bytes > 0 && bytes < (long)sizeof work->event.path ? bytes : 0;
  if (!is_removal) {
    __builtin_memset(work->name, 0, sizeof work->name);
    bpf_probe_read_kernel_str(work->name, sizeof work->name, BPF_CORE_READ(cgroup, kn, name));
    work->event.parent = BPF_CORE_READ(cgroup, self.parent, cgroup, kn, id);
    enter(table, work);
  }
  report(work);
  return 0;
}

SEC("raw_tp/cgroup_mkdir")
int cgroup_born(u64 *context) { return changed((struct cgroup *)context[0], (const char *)context[1], 0); }

SEC("raw_tp/cgroup_rmdir")
int cgroup_gone(u64 *context) { return changed((struct cgroup *)context[0], (const char *)context[1], 1); }
