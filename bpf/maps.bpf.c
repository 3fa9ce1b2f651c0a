// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * maps.bpf.c - the maps and variables whose shape no D program changes. What a program does not use is not linked, and
 * does not exist in its object. The loader sets max_entries of dt_rings (possible CPUs) and fills it.
 */
#include "dt_bpf.h"

SEC(".bss.dt_control") struct dt_control dt_control;

/* One ring buffer per possible CPU, created by the loader. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(
		values, struct {
			__uint(type, BPF_MAP_TYPE_RINGBUF);
			__uint(max_entries, 4096);
		});
} dt_rings SEC(".maps");

/* One for all CPUs instead, where programs record seldom; created by the loader (Plan::one_ring). */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} dt_one_ring SEC(".maps");

char dt_license[] SEC("license") = "GPL";

/*
 * dt_ring - the ring buffer of a CPU.
 *
 * In:       cpu, the current one.
 * Out:      map; NULL only for the verifier.
 * Fault:    none.      Context: any, NMI included.
 */
DT_API void *dt_ring(u32 cpu)
{
	return bpf_map_lookup_elem(&dt_rings, &cpu);
}

/* dt_ring_of_all - the ring buffer of all CPUs; never NULL. */
DT_API void *dt_ring_of_all(void)
{
	return &dt_one_ring;
}
