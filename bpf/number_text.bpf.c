// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * number_text.bpf.c - numbers as text and text as numbers.
 */
#include "loop.bpf.h"

/* ---- number to text: value what is left, a the base, b the buffer, j where the text begins ---- */

DT_BODY(digit_out)
{
	struct dt_loop *loop = &slot->loop;
	u64 base = loop->a;
	u64 digit = loop->value % base;

	loop->value /= base;
	loop->j--;
	dt_put(slot, loop->b + loop->j, digit < 10 ? '0' + digit : 'a' + digit - 10);
	return loop->value == 0;
}

/* Room for 64 binary digits, a sign or prefix, and the NUL. */
#define DT_DIGITS 72

/*
 * dt_number_text - lltostr(): decimal is signed, other bases are unsigned; 16 and 8 have C's prefix.
 *
 * In:       base, 2..36; buffer, offset of DT_DIGITS bytes.
 * Out:      offset of the text.
 */
DT_FUNC u64 dt_number_text(struct dt_slot *slot, s64 number, u32 base, u32 buffer)
{
	struct dt_loop *loop = &slot->loop;
	int negative = base == 10 && number < 0;

	loop->value = negative ? -(u64)number : (u64)number;
	loop->a = base;
	loop->b = buffer;
	loop->j = DT_DIGITS - 1;
	dt_put(slot, buffer + loop->j, 0);
	dt_repeat(64, digit_out, slot);
	if (negative)
		dt_put(slot, buffer + --loop->j, '-');
	if (base == 16)
		dt_put(slot, buffer + --loop->j, 'x');
	if (base == 16 || (base == 8 && number != 0))
		dt_put(slot, buffer + --loop->j, '0');
	return buffer + loop->j;
}

/* ---- the provider in one process: a the text, j its length ---- */

DT_BODY(to_end)
{
	slot->loop.j = index;
	return dt_get(slot, slot->loop.a + index) == 0;
}

DT_BODY(over_digit)
{
	slot->loop.j++;
	slot->loop.value /= 10;
	return slot->loop.value == 0;
}

#define DT_PROCESS_DIGITS 10

/*
 * dt_name_process - probeprov of a probe in any process: a `*` at the text's end becomes the number of the process.
 *
 * In:       text, offset of a string in `size` bytes; behind it is room for the number.
 */
DT_FUNC int dt_name_process(struct dt_slot *slot, u32 text, u32 size, u32 process)
{
	struct dt_loop *loop = &slot->loop;

	loop->a = text;
	loop->j = 0;
	dt_repeat(size, to_end, slot);
	if (loop->j == 0 || dt_get(slot, text + loop->j - 1) != '*')
		return 0;
	loop->j--;
	loop->value = process;
	dt_repeat(DT_PROCESS_DIGITS, over_digit, slot);
	dt_put(slot, text + loop->j, 0);
	loop->value = process;
	loop->a = 10;
	loop->b = text;
	dt_repeat(DT_PROCESS_DIGITS, digit_out, slot);
	return 0;
}

/* ---- text to number: a the text, b the base, value the number; state 0 blanks, 1 after the sign, 2 digits; depth: minus ---- */

DT_BODY(digit_in)
{
	struct dt_loop *loop = &slot->loop;
	u8 c = dt_get(slot, loop->a + index);
	u32 digit;

	if (loop->state == 0) {
		if (c == ' ' || (c >= '\t' && c <= '\r'))
			return 0;
		loop->state = 1;
		if (c == '-' || c == '+') {
			loop->depth = c == '-';
			return 0;
		}
	}
	if (c >= '0' && c <= '9')
		digit = c - '0';
	else if (c >= 'a' && c <= 'z')
		digit = c - 'a' + 10;
	else if (c >= 'A' && c <= 'Z')
		digit = c - 'A' + 10;
	else
		return 1;
	if (digit >= loop->b) {
		/* "0x" before the digits of base 16 */
		if (loop->b == 16 && (c == 'x' || c == 'X') && loop->state == 2 && loop->value == 0 && loop->i == 1) {
			loop->i = 2;
			return 0;
		}
		return 1;
	}
	loop->state = 2;
	loop->i++;
	loop->value = loop->value * loop->b + digit;
	return 0;
}

/*
 * dt_text_number - strtoll(): blanks, a sign, digits; stops at what is no digit.
 *
 * In:       base, 2..36; size, of the text's space.
 * Edge:     wraps beyond 64 bits; no digits give 0.
 */
DT_FUNC s64 dt_text_number(struct dt_slot *slot, u32 text, u32 size, u32 base)
{
	struct dt_loop *loop = &slot->loop;

	loop->a = text;
	loop->b = base;
	loop->i = 0;
	loop->value = 0;
	loop->state = 0;
	loop->depth = 0;
	dt_repeat(size, digit_in, slot);
	return loop->depth ? -loop->value : loop->value;
}

/*
 * dt_part_begin, dt_part_length - which part of a string of `length` bytes substr() takes.
 *
 * In:       index, count as given; has_count 0: the rest of the string.
 * Out:      0 <= begin <= length, 0 <= count <= length - begin.
 * Source:   D language reference, 4.5.
 */
DT_INLINE void substr_part(s64 length, s64 *index, s64 *count, u32 has_count)
{
	s64 i = *index, n = has_count ? *count : length;

	if (i < 0) {
		i += length;
		if (!has_count)
			n = length - i;
		if (i < 0 && n > 0 && (u64)n > 0 - (u64)i) {
			n += i;
			i = 0;
		}
	}
	if (i < 0 || i >= length) {
		i = 0;
		n = 0;
	} else {
		if (n < 0)
			n += length - i;
		if (n < 0)
			n = 0;
		if (n > length - i)
			n = length - i;
	}
	*index = i;
	*count = n;
}

DT_API s64 dt_part_begin(s64 length, s64 index, s64 count, u32 has_count)
{
	substr_part(length, &index, &count, has_count);
	return index;
}

DT_API s64 dt_part_length(s64 length, s64 index, s64 count, u32 has_count)
{
	substr_part(length, &index, &count, has_count);
	return count;
}
