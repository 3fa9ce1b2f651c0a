// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * The limit for printf("%d %d %d\n", pid, tid, arg0): one reservation in this CPU's own ring, filled in place. The
 * kernel wakes the consumer only when it had caught up (flags 0), and the consumer rests after each drain, so that
 * under load there is no wake-up per record.
 */
#include "limit.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1); /* the loader sets one per CPU */
	__type(key, u32);
	__array(values, struct ring);
} rings SEC(".maps");

SEC("tp_btf/sys_enter")
int printf3(u64 *ctx)
{
	struct pt_regs *regs = (struct pt_regs *)ctx[0];
	u32 cpu = bpf_get_smp_processor_id();
	struct printf_record *rec;
	struct task_struct *task;
	void *ring;

	if (ctx[1] != traced_nr)
		return 0;
	ring = bpf_map_lookup_elem(&rings, &cpu);
	if (!ring)
		return 0;
	rec = bpf_ringbuf_reserve(ring, sizeof *rec, 0);
	if (!rec) {
		count_lost();
		return 0;
	}
	task = current_task();
	rec->pid = task->tgid;
	rec->tid = task->pid;
	rec->arg0 = PT_REGS_PARM1_SYSCALL(regs);
	bpf_ringbuf_submit(rec, 0);
	return 0;
}
