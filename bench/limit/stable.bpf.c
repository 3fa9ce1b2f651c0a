// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * The limit for the stable providers: what their probes and arguments are made of, written by hand. Each has an empty
 * program on the same event, `NAME_nothing`, whose cost is the kernel's account of run time.
 */
#include "limit.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define KERNEL		  __attribute__((preserve_access_index))
#define HALF_OF_ADDRESSES 0x8000000000000000ull

/* Members that are read, relocated when loaded. */
struct block_device;
struct request_queue {
	const void *mq_ops;
} KERNEL;
struct gendisk {
	struct request_queue *queue;
} KERNEL;
struct block_device {
	struct gendisk *bd_disk;
} KERNEL;
struct bvec_iter {
	unsigned int bi_size;
} KERNEL;
struct bio {
	struct block_device *bi_bdev;
	struct bvec_iter bi_iter;
	void *bi_io_vec;
} KERNEL;
struct request {
	unsigned int __data_len;
	struct bio *bio;
} KERNEL;
struct sock_common {
	unsigned short skc_family;
} KERNEL;
struct sock {
	struct sock_common __sk_common;
	unsigned short sk_protocol;
} KERNEL;
struct task_struct___more {
	unsigned int __state;
	int pagefault_disabled;
} KERNEL;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} total SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct quantize_value);
} histogram SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, u32);
	__type(value, u64);
} by_number SEC(".maps");

static __always_inline void add(u64 n)
{
	u32 zero = 0;
	u64 *value = bpf_map_lookup_elem(&total, &zero);

	if (value)
		*value += n;
}

static __always_inline struct task_struct___more *current_more(void)
{
	return (struct task_struct___more *)bpf_get_current_task_btf();
}

#define NOTHING(name, event)          \
	SEC("raw_tp/" event)          \
	int name##_nothing(void *ctx) \
	{                             \
		return 0;             \
	}
NOTHING(sched, "sched_switch")
NOTHING(io, "block_io_start")
NOTHING(tcp, "inet_sock_set_state")
NOTHING(lockstat, "contention_end")
NOTHING(proc, "signal_generate")
NOTHING(vminfo, "page_fault_user")
NOTHING(sysinfo, "sys_exit")

/* sysinfo:::readch { @ = sum(arg0); }: the calls that read files, numbers of x86-64. */
SEC("tp_btf/sys_exit")
int sysinfo(u64 *ctx)
{
	struct pt_regs *regs = (struct pt_regs *)ctx[0];
	s64 bytes = ctx[1];

#ifdef __TARGET_ARCH_x86
	switch (regs->orig_rax) {
	case 0:	  /* read */
	case 17:  /* pread64 */
	case 19:  /* readv */
	case 40:  /* sendfile */
	case 295: /* preadv */
	case 326: /* copy_file_range */
	case 327: /* preadv2 */
		break;
	default:
		return 0;
	}
#else
	if (regs->syscallno != 63 && regs->syscallno != 67)
		return 0;
#endif
	if (bytes > 0)
		add(bytes);
	return 0;
}

/* vminfo:::as_fault { @ = count(); } */
static __always_inline int as_fault(u64 *ctx)
{
	if (ctx[0] < HALF_OF_ADDRESSES && current_more()->pagefault_disabled <= 1 && !(ctx[2] & 1))
		add(1);
	return 0;
}

SEC("tp_btf/page_fault_user")
int vminfo_user(u64 *ctx)
{
	return as_fault(ctx);
}

SEC("tp_btf/page_fault_kernel")
int vminfo_kernel(u64 *ctx)
{
	return as_fault(ctx);
}

/* proc:::signal-discard { @[args[2]] = count(); } */
SEC("tp_btf/signal_generate")
int proc(u64 *ctx)
{
	u32 number = ctx[0];

	if ((int)ctx[4] == 1)
		count_key(&by_number, &number);
	return 0;
}

/* sched:::off-cpu { @[args[0]->pr_lwpid] = count(); } */
SEC("tp_btf/sched_switch")
int sched(u64 *ctx)
{
	u32 next = ((struct task_struct *)ctx[2])->pid;

	count_key(&by_number, &next);
	return 0;
}

/* io:::start { @ = sum(args[0]->b_bcount); }: of disks with a queue, and of those without. */
SEC("tp_btf/block_io_start")
int io_request(u64 *ctx)
{
	struct request *request = (struct request *)ctx[0];
	struct bio *bio = request->bio;

	if (request->__data_len && bio && bio->bi_bdev && bio->bi_io_vec)
		add(request->__data_len);
	return 0;
}

SEC("tp_btf/block_bio_queue")
int io_bio(u64 *ctx)
{
	struct bio *bio = (struct bio *)ctx[0];

	if (bio->bi_io_vec && !bio->bi_bdev->bd_disk->queue->mq_ops)
		add(bio->bi_iter.bi_size);
	return 0;
}

/* tcp:::state-change { @[args[3]->tcps_state] = count(); } */
SEC("tp_btf/inet_sock_set_state")
int tcp(u64 *ctx)
{
	struct sock *sock = (struct sock *)ctx[0];
	u32 state = ctx[2];

	if (sock->sk_protocol != 6 || (u32)ctx[1] == state)
		return 0;
	if (state == 12)
		state = 3;
	count_key(&by_number, &state);
	return 0;
}

/* lockstat:::adaptive-spin { @ = quantize(arg1); } */
#define FLAG_SPIN  1
#define FLAG_MUTEX 32

struct wait {
	u64 lock, since;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct wait);
} waits SEC(".maps");

SEC("tp_btf/contention_begin")
int lockstat_begin(u64 *ctx)
{
	u32 flags = ctx[1];
	struct wait *wait;

	if (flags != (FLAG_MUTEX | FLAG_SPIN) && flags != FLAG_MUTEX)
		return 0;
	if (flags & FLAG_SPIN && current_more()->__state != 0)
		return 0;
	wait = bpf_task_storage_get(&waits, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!wait) {
		count_lost();
		return 0;
	}
	if (flags & FLAG_SPIN) {
		wait->lock = ctx[0];
		wait->since = bpf_ktime_get_ns();
	} else {
		wait->lock = 0;
	}
	return 0;
}

SEC("tp_btf/contention_end")
int lockstat_end(u64 *ctx)
{
	struct wait *wait = bpf_task_storage_get(&waits, bpf_get_current_task_btf(), 0, 0);
	struct quantize_value *value;
	u32 zero = 0, bucket;

	if (!wait || wait->lock != ctx[0] || (int)ctx[1] != 0)
		return 0;
	value = bpf_map_lookup_elem(&histogram, &zero);
	if (!value)
		return 0;
	bucket = quantize_bucket(bpf_ktime_get_ns() - wait->since);
	if (bucket < QUANTIZE_BUCKETS)
		value->buckets[bucket] += 1;
	return 0;
}
