// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * pointer.bpf.c - pointers that the verifier knows the type of, as numbers.
 */
#include "dt_bpf.h"

/*
 * dt_number_of_pointer - the bits of a pointer to compute with.
 *
 * In:       pointer, of a typed tracepoint: the verifier refuses arithmetic with it.
 * Out:      the same bits, a number. The verifier forgets the type of what lies in memory that an exchange changes.
 * Cost:     a call and an exchange on the stack.      Fault: none.      Context: any, NMI included.
 */
DT_FUNC u64 dt_number_of_pointer(u64 pointer)
{
	u64 word = pointer;

	__sync_lock_test_and_set(&word, pointer);
	return *(volatile u64 *)&word;
}
