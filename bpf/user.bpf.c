// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * user.bpf.c - user memory that may not be resident. Sleepable programs only.
 */
#include "dt_bpf.h"

#define DT_PAGE 4096

/*
 * dt_user_text - a string of the current process.
 *
 * In:       to, memory of `size` bytes; size, constant or bounded for the verifier; from, user address.
 * Out:      length with its NUL, cut at size; or a negative error.
 * Note:     the helper for strings does not wait for pages, so the pages it misses are touched first. Only those up to the
 *           string's end are: what lies behind may not be mapped.
 * Cost:     as the helper's where all is resident.      Fault: none.      Context: sleepable.
 */
DT_API long dt_user_text(void *to, u32 size, u64 from)
{
	long length = bpf_probe_read_user_str(to, size, (void *)from);
	u64 at = from;
	u8 byte;

	for (u32 page = 0; length < 0 && page < size / DT_PAGE + 2; page++) {
		if (bpf_copy_from_user(&byte, 1, (void *)at))
			return -14; /* EFAULT */
		length = bpf_probe_read_user_str(to, size, (void *)from);
		at = (at | (DT_PAGE - 1)) + 1;
	}
	return length;
}
