/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * buckets.bpf.h - pure arithmetic of aggregations. No maps, no helpers; src/base/buckets.h is the same in C++, and a unit
 * test holds both together.
 */
#ifndef DT_BUCKETS_BPF_H
#define DT_BUCKETS_BPF_H

#include "dt_bpf.h"

/*
 * dt_bit_length - number of significant bits.
 *
 * Out:      0 for 0, 64 for numbers with the top bit set.
 * Cost:     6 steps without a branch: BPF has no instruction for it.
 */
DT_INLINE u32 dt_bit_length(u64 x)
{
	u32 n = x != 0;
	u32 big;

	big = (x > 0xffffffff) << 5;
	x >>= big;
	n += big;
	big = (x > 0xffff) << 4;
	x >>= big;
	n += big;
	big = (x > 0xff) << 3;
	x >>= big;
	n += big;
	big = (x > 0xf) << 2;
	x >>= big;
	n += big;
	big = (x > 3) << 1;
	x >>= big;
	n += big;
	return n + (x > 1);
}

DT_INLINE u64 dt_magnitude(s64 x)
{
	return x < 0 ? -(u64)x : (u64)x;
}

/*
 * dt_quantize_bucket - bucket of one value in a quantize() histogram.
 *
 * In:       value, any s64.
 * Out:      0..126; 63 is zero, 63 + n holds [2^(n-1), 2^n), 63 - n the negatives of the same size.
 * Edge:     S64_MIN would be -1 and joins bucket 0; negation is done unsigned, so it is defined.
 * Source:   D language reference, 5.2.
 */
DT_INLINE u32 dt_quantize_bucket(s64 value)
{
	u32 length = dt_bit_length(dt_magnitude(value));

	if (value >= 0)
		return 63 + length;
	return length > 63 ? 0 : 63 - length;
}

/*
 * dt_lquantize_bucket - 0 underflow, 1..levels, levels + 1 overflow.
 */
DT_INLINE u32 dt_lquantize_bucket(s64 value, s32 base, u32 step, u32 levels)
{
	u64 level;

	if (value < base)
		return 0;
	level = ((u64)value - (u64)(s64)base) / step;
	return level >= levels ? levels + 1 : (u32)level + 1;
}

/*
 * dt_llquantize_bucket - symmetric; 0 is negative overflow, the centre is |value| < factor^low.
 *
 * In:       factor, low, high, steps as the checker let them through; constants for the compiler.
 * Edge:     factor^(high + 1) fits 64 bits, so no product here overflows. At most 64 magnitudes.
 */
DT_INLINE u32 dt_llquantize_bucket(s64 value, u16 factor, u16 low, u16 high, u16 steps)
{
	u32 per_magnitude = (u32)steps - steps / factor;
	u32 side = ((u32)high - low + 1) * per_magnitude;
	u32 centre = side + 1;
	u32 distance = side + 1;
	u64 magnitude = dt_magnitude(value);
	u64 floor = 1;

	for (u32 order = 0; order < 64; order++) {
		u64 next;

		if (order > high)
			break;
		if (order >= low && order == low && magnitude < floor)
			return centre;
		next = floor * factor;
		if (order >= low && magnitude < next) {
			u64 index = next < steps ? magnitude - floor : magnitude / (next / steps) - steps / factor;

			distance = (order - low) * per_magnitude + (u32)index + 1;
			break;
		}
		floor = next;
	}
	return value < 0 ? centre - distance : centre + distance;
}

/*
 * dt_square - 128-bit square of a signed number.
 *
 * Out:      the low 64 bits; *high the high ones.
 */
DT_INLINE u64 dt_square(s64 value, u64 *high)
{
	u64 x = dt_magnitude(value);
	u64 a = x >> 32, b = (u32)x;
	u64 cross = a * b;
	u64 low = b * b;
	u64 sum = low + (cross << 33);

	*high = a * a + (cross >> 31) + (sum < low);
	return sum;
}

#endif
