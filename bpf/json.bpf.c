// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * json.bpf.c - json(): one element of a JSON text, by a path such as "a.b[2].c".
 *
 * One pass, one step a character. The walker is either on the path (in a container of which it wants one element) or it
 * skips a value beside it. Malformed text gives NULL, never a fault.
 */
#include "loop.bpf.h"

enum json_state {
	VALUE, /* before a value */
	KEY,   /* before a key or the end of an object */
	IN_KEY,
	COLON,
	AFTER, /* after a value of the container on the path */
	SKIP_STRING,
	SKIP_WORD,   /* number, true, false, null */
	SKIP_NESTED, /* object or array beside the path; loop.depth of them open */
	TAKE_STRING,
	TAKE_WORD,
	TAKE_NESTED,
};

/*
 * loop: a the text, b the position in the path; i where the wanted element begins; depth open containers while one is skipped
 * or taken; value the index in an array; aux the wanted index, or the position in the path while a key is compared.
 * set[]: single flags.
 */
#define is_array set[0]
#define on_path	 set[1] /* the value that comes is on the path */
#define escaped	 set[2]
#define quoted	 set[3] /* within a string of a nested value */
#define matching set[4] /* the key agrees with the path so far */

#define NONE	 -1

DT_INLINE int is_blank(u8 c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

DT_INLINE int ends_word(u8 c)
{
	return c == 0 || c == ',' || c == '}' || c == ']' || is_blank(c);
}

/* A character of a string; 1: it was the closing quote. */
DT_INLINE int string_ends(struct dt_loop *loop, u8 c)
{
	if (loop->escaped) {
		loop->escaped = 0;
		return 0;
	}
	if (c == '\\') {
		loop->escaped = 1;
		return 0;
	}
	return c == '"';
}

/* A character of a nested value; 1: it closed the outermost one. */
DT_INLINE int nested_ends(struct dt_loop *loop, u8 c)
{
	if (loop->quoted) {
		if (string_ends(loop, c))
			loop->quoted = 0;
		return 0;
	}
	if (c == '"')
		loop->quoted = 1;
	else if (c == '{' || c == '[')
		loop->depth++;
	else if (c == '}' || c == ']')
		return --loop->depth == 0;
	return 0;
}

/* The path goes on after a matched part: skips the dot. */
DT_INLINE void path_next(struct dt_slot *slot, u64 at)
{
	slot->loop.b = dt_get(slot, at) == '.' ? at + 1 : at;
}

/* One digit of an index in the path. */
DT_BODY(index_digit)
{
	struct dt_loop *loop = &slot->loop;
	u8 c = dt_get(slot, loop->b);

	if (c < '0' || c > '9') {
		path_next(slot, c ? loop->b + 1 : loop->b);
		return 1;
	}
	loop->b++;
	loop->aux = loop->aux * 10 + (c - '0');
	return 0;
}

/* The first character of a value on the path. */
DT_INLINE long enter(struct dt_slot *slot, u32 index, u8 c)
{
	struct dt_loop *loop = &slot->loop;
	u8 wanted = dt_get(slot, loop->b);

	if (ends_word(c))
		return 1;
	if (wanted == 0) {
		loop->i = loop->a + index;
		if (c == '"') {
			loop->i++;
			loop->state = TAKE_STRING;
		} else if (c == '{' || c == '[') {
			loop->depth = 1;
			loop->state = TAKE_NESTED;
		} else {
			loop->state = TAKE_WORD;
		}
		return 0;
	}
	if (wanted == '[') {
		if (c != '[')
			return 1;
		loop->is_array = 1;
		loop->value = 0;
		loop->aux = 0;
		loop->b++;
		dt_repeat(20, index_digit, slot);
		loop->on_path = loop->aux == 0;
		loop->state = VALUE;
		return 0;
	}
	if (c != '{')
		return 1;
	loop->is_array = 0;
	loop->state = KEY;
	return 0;
}

DT_BODY(json_byte)
{
	struct dt_loop *loop = &slot->loop;
	u8 c = dt_get(slot, loop->a + index);

	switch (loop->state) {
	case TAKE_STRING:
		if (string_ends(loop, c)) {
			loop->result = loop->a + index - loop->i;
			return 1;
		}
		return c == 0;
	case TAKE_WORD:
		if (!ends_word(c))
			return 0;
		loop->result = loop->a + index - loop->i;
		return 1;
	case TAKE_NESTED:
		if (nested_ends(loop, c)) {
			loop->result = loop->a + index + 1 - loop->i;
			return 1;
		}
		return c == 0;
	case SKIP_STRING:
		if (string_ends(loop, c))
			loop->state = AFTER;
		return c == 0;
	case SKIP_NESTED:
		if (nested_ends(loop, c))
			loop->state = AFTER;
		return c == 0;
	case IN_KEY:
		if (string_ends(loop, c)) {
			u8 end = dt_get(slot, loop->aux);

			loop->on_path = loop->matching && (end == 0 || end == '.' || end == '[');
			loop->state = COLON;
			return 0;
		}
		if (loop->matching && dt_get(slot, loop->aux) == c)
			loop->aux++;
		else
			loop->matching = 0;
		return c == 0;
	case SKIP_WORD:
		if (!ends_word(c))
			return 0;
		loop->state = AFTER;
		break;
	}

	/* Between the parts of a container on the path, where blanks do not count. */
	if (is_blank(c))
		return 0;
	switch (loop->state) {
	case VALUE:
		if (loop->on_path) {
			if (!loop->is_array && loop->matching)
				path_next(slot, loop->aux);
			loop->matching = 0;
			loop->on_path = 0;
			return enter(slot, index, c);
		}
		if (c == '"') {
			loop->state = SKIP_STRING;
		} else if (c == '{' || c == '[') {
			loop->depth = 1;
			loop->state = SKIP_NESTED;
		} else {
			loop->state = SKIP_WORD;
		}
		return ends_word(c);
	case KEY:
		if (c != '"')
			return 1;
		loop->state = IN_KEY;
		loop->matching = 1;
		loop->aux = loop->b;
		return 0;
	case COLON:
		loop->state = VALUE;
		return c != ':';
	default: /* AFTER */
		if (c != ',')
			return 1;
		if (loop->is_array) {
			loop->value++;
			loop->on_path = loop->value == loop->aux;
			loop->state = VALUE;
		} else {
			loop->state = KEY;
		}
		return 0;
	}
}

/*
 * dt_json - finds the element that a path names.
 *
 * In:       text, path: offsets of strings; size, of the text's space.
 * Out:      its length, and its offset in loop.i; a string's is without its quotes. -1: there is none.
 */
DT_FUNC s64 dt_json(struct dt_slot *slot, u32 text, u32 size, u32 path)
{
	struct dt_loop *loop = &slot->loop;

	loop->a = text;
	loop->b = path;
	loop->state = VALUE;
	loop->result = NONE;
	__builtin_memset(loop->set, 0, sizeof(loop->set));
	loop->on_path = 1;
	dt_repeat(size, json_byte, slot);
	return loop->result;
}
