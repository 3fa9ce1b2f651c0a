#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iosizes.d - requests sent to block devices: bytes a request, by device and operation.
 *
 *     iosizes.d                      until Ctrl-C
 *
 * args[0] is the kernel's struct request; the low byte of its flags is the operation.
 */
#pragma D option quiet

inline string operation[unsigned int flags] =
    (flags & 0xff) == 0 ? "read" :
    (flags & 0xff) == 1 ? "write" :
    (flags & 0xff) == 2 ? "flush" :
    (flags & 0xff) == 3 ? "discard" : "other";

sdt:block::block_rq_issue
{
	@sizes[stringof(args[0]->q->disk->disk_name), operation[args[0]->cmd_flags]] = quantize(args[0]->__data_len);
}
