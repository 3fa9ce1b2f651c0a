// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/* The limit for BEGIN { exit(0); }: one program, run once by the loader, which reads the status it left. */
#include "limit.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

int exit_status = -1;

SEC("raw_tp")
int begin(void *ctx)
{
	exit_status = 0;
	return 0;
}
