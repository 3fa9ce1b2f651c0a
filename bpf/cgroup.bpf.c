// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * cgroup.bpf.c - answers to comparisons with the names of cgroups.
 */
#include "dt_bpf.h"
#include "dt_cgroup.h"

/*
 * dt_cgroup_test - bit `bit` of a cgroup's entry.
 *
 * In:       table, DT_CGROUP_SETS * DT_CGROUP_WAYS entries; bit, enum dt_cgroup_bit.
 * Out:      0 or 1; 2: the table does not have the cgroup.
 * Cost:     no helpers, no maps; an atomic addition only while the cgroup is not settled.    Context: any, NMI included.
 */
DT_API u32 dt_cgroup_test(struct dt_cgroup *table, u64 id, u32 bit)
{
	struct dt_cgroup *entry = table + dt_cgroup_set(id) * DT_CGROUP_WAYS;

	for (u32 way = 0; way < DT_CGROUP_WAYS; way++) {
		if (entry[way].id != id)
			continue;
		if (!(entry[way].bits[0] & 1ull << DT_CGROUP_SETTLED))
			__sync_fetch_and_add(&entry[way].asked, 1);
		return entry[way].bits[bit / 64] >> (bit % 64) & 1;
	}
	return 2;
}
