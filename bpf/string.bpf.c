// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * string.bpf.c - comparing, searching and changing strings. Strings are NUL-terminated within the size given for them.
 */
#include "loop.bpf.h"

/* ---- comparison: loop.a, loop.b the strings; result < 0, 0, > 0 ---- */

DT_BODY(compare_byte)
{
	u8 a = dt_get(slot, slot->loop.a + index);
	u8 b = dt_get(slot, slot->loop.b + index);

	if (a != b) {
		slot->loop.result = (s64)a - (s64)b;
		return 1;
	}
	return a == 0;
}

/*
 * dt_str_compare - as unsigned bytes.
 *
 * In:       a, b: offsets of strings in the slot; size, of the smaller one's space.
 * Out:      < 0, 0, > 0.
 */
DT_FUNC s64 dt_str_compare(struct dt_slot *slot, u32 a, u32 b, u32 size)
{
	slot->loop.a = a;
	slot->loop.b = b;
	slot->loop.result = 0;
	dt_repeat(size, compare_byte, slot);
	return slot->loop.result;
}

/* ---- a character: loop.a the string, state the character; result its last index so far, depth 1: stop at the first ---- */

DT_BODY(match_byte)
{
	u8 c = dt_get(slot, slot->loop.a + index);

	if (c == (u8)slot->loop.state) {
		slot->loop.result = index;
		if (slot->loop.depth)
			return 1;
	}
	return c == 0;
}

/*
 * dt_str_char - index of the first (first 1) or last (first 0) occurrence of a character.
 *
 * Out:      -1: none. The NUL counts as a character of the string, as in C.
 */
DT_FUNC s64 dt_str_char(struct dt_slot *slot, u32 string, u32 size, u32 character, u32 first)
{
	slot->loop.a = string;
	slot->loop.state = (u8)character;
	slot->loop.depth = first;
	slot->loop.result = -1;
	dt_repeat(size, match_byte, slot);
	return slot->loop.result;
}

/*
 * ---- a substring: loop.a the string, loop.b the substring; i where the attempt began, j how much of it matched so far.
 * One flat loop: a step compares one character, and either goes on or begins the next attempt.
 */

DT_INLINE long search_step(struct dt_slot *slot, int forward)
{
	struct dt_loop *loop = &slot->loop;
	u8 wanted = dt_get(slot, loop->b + loop->j);
	u8 seen;

	if (wanted == 0) {
		loop->result = loop->i;
		return 1;
	}
	seen = dt_get(slot, loop->a + loop->i + loop->j);
	if (seen == wanted) {
		loop->j++;
		return 0;
	}
	loop->j = 0;
	if (forward) {
		if (seen == 0)
			return 1; /* what is left is shorter than the substring */
		loop->i++;
		return 0;
	}
	if (loop->i == 0)
		return 1;
	loop->i--;
	return 0;
}

DT_BODY(search_forward)
{
	return search_step(slot, 1);
}

DT_BODY(search_backward)
{
	return search_step(slot, 0);
}

/* Steps of a search at most: beyond any two strings of 1 KiB. */
#define DT_STEPS (1 << 20)

/*
 * dt_str_search - index of a substring, searched from `start` on, forward or backward.
 *
 * In:       start, in 0..strlen(string).
 * Out:      -1: none.      Edge: an empty substring is found at `start`.
 */
DT_FUNC s64 dt_str_search(struct dt_slot *slot, u32 string, u32 substring, u32 start, u32 forward)
{
	slot->loop.a = string;
	slot->loop.b = substring;
	slot->loop.i = start;
	slot->loop.j = 0;
	slot->loop.result = -1;
	if (forward)
		dt_repeat(DT_STEPS, search_forward, slot);
	else
		dt_repeat(DT_STEPS, search_backward, slot);
	return slot->loop.result;
}

/*
 * dt_str_index - D's index() and rindex() on lengths: where the search may begin.
 *
 * In:       length, sublength: strlen of both; start as given; has_start 0: not given; the rest as dt_str_search.
 * Out:      0-based index or -1.
 * Source:   D language reference, 4.5.
 */
DT_INLINE s64 dt_index_start(s64 length, s64 sublength, s64 start, u32 has_start, u32 forward)
{
	if (forward) {
		if (!has_start || start < 0)
			start = 0;
		if (start >= length)
			return sublength == 0 ? -2 - length : -1;
		return start;
	}
	if (!has_start || start > length)
		start = length;
	if (start < 0)
		return sublength == 0 ? -2 : -1;
	return start;
}

/*
 * dt_str_begin - where index() (forward 1) or rindex() begins its search.
 *
 * Out:      >= 0: search from there; -1: not found; -2 - n: the answer is n without a search.
 */
DT_API s64 dt_str_begin(s64 length, s64 sublength, s64 start, u32 has_start, u32 forward)
{
	return dt_index_start(length, sublength, start, has_start, forward);
}

/* ---- case: loop.a the source, loop.b the copy; state 1: to upper ---- */

DT_BODY(change_byte)
{
	u8 c = dt_get(slot, slot->loop.a + index);
	u8 from = slot->loop.state ? 'a' : 'A';

	if (c >= from && c <= from + 25)
		c ^= 0x20;
	dt_put(slot, slot->loop.b + index, c);
	return c == 0;
}

/*
 * dt_str_case - copy in upper (upper 1) or lower case; ASCII only.
 */
DT_FUNC int dt_str_case(struct dt_slot *slot, u32 copy, u32 string, u32 size, u32 upper)
{
	slot->loop.a = string;
	slot->loop.b = copy;
	slot->loop.state = upper;
	dt_repeat(size, change_byte, slot);
	return 0;
}

/* ---- fill: loop.a the bytes; state the character that stands for a NUL ---- */

DT_BODY(fill_byte)
{
	if (dt_get(slot, slot->loop.a + index) == 0)
		dt_put(slot, slot->loop.a + index, slot->loop.state);
	return 0;
}

/*
 * dt_str_fill - makes a string of bytes: NULs become `filler`, and one follows the last.
 *
 * In:       slot; bytes, their offset in it; count of them, with room for one more.
 * Cost:     a loop of `count`.      Context: any.
 */
DT_FUNC int dt_str_fill(struct dt_slot *slot, u32 bytes, u32 count, u32 filler)
{
	slot->loop.a = bytes;
	slot->loop.state = filler & 0xff;
	dt_repeat(count, fill_byte, slot);
	dt_put(slot, (u64)bytes + count, 0);
	return 0;
}

/* ---- tokens: set the delimiters; a the text, i the index in it; state 0 skipping, 1 in the token; b the copy ---- */

DT_BODY(note_delimiter)
{
	u8 c = dt_get(slot, slot->loop.b + index);

	slot->loop.set[c >> 3 & 31] |= 1 << (c & 7);
	return c == 0;
}

DT_BODY(token_byte)
{
	struct dt_loop *loop = &slot->loop;
	u8 c = dt_get(slot, loop->a + loop->i);

	if (c == 0)
		return 1;
	if (loop->set[c >> 3 & 31] >> (c & 7) & 1) {
		if (loop->j != 0)
			return 1;
	} else {
		dt_put(slot, loop->b + loop->j, c);
		loop->j++;
	}
	loop->i++;
	return 0;
}

/*
 * dt_str_token - strtok(): the next token of the text that this firing works on. Unlike C's, it leaves the delimiter that
 * ended the token: the next call may have other delimiters.
 *
 * In:       text, offset of the firing's copy; delimiters and result, offsets; size, of each.
 *           slot->token: 1 + index to go on from; 0: no text.
 * Out:      1 and the token at `result`; 0: none left.
 */
DT_FUNC int dt_str_token(struct dt_slot *slot, u32 text, u32 delimiters, u32 result, u32 size)
{
	struct dt_loop *loop = &slot->loop;

	if (slot->token == 0)
		return 0;
	__builtin_memset(loop->set, 0, sizeof(loop->set));
	loop->b = delimiters;
	dt_repeat(size, note_delimiter, slot);
	loop->set[0] &= ~1;
	loop->a = text;
	loop->b = result;
	loop->i = slot->token - 1;
	loop->j = 0;
	dt_repeat(size, token_byte, slot);
	slot->token = loop->i + 1;
	dt_put(slot, result + loop->j, 0);
	return loop->j != 0;
}
