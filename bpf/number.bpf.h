/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * number.bpf.h - signed division by unsigned instructions: BPF before v4 has no other.
 */
#ifndef DT_NUMBER_BPF_H
#define DT_NUMBER_BPF_H

#include "dt_bpf.h"

DT_INLINE u64 dt_absolute(s64 x)
{
	return x < 0 ? -(u64)x : (u64)x;
}

/*
 * dt_signed_quotient - truncates toward zero.
 *
 * In:       divisor, not 0 (the caller has made that a fault).
 * Edge:     S64_MIN / -1 wraps to S64_MIN: all of it is unsigned arithmetic.
 */
DT_INLINE s64 dt_signed_quotient(s64 dividend, s64 divisor)
{
	u64 quotient = dt_absolute(dividend) / dt_absolute(divisor);

	return (dividend ^ divisor) < 0 ? -quotient : quotient;
}

/*
 * dt_signed_remainder - has the dividend's sign.
 */
DT_INLINE s64 dt_signed_remainder(s64 dividend, s64 divisor)
{
	u64 remainder = dt_absolute(dividend) % dt_absolute(divisor);

	return dividend < 0 ? -remainder : remainder;
}

#endif
