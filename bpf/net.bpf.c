// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * net.bpf.c - network addresses as text. The address has been read into loop.set; text goes to loop.b + loop.j.
 */
#include "loop.bpf.h"

DT_INLINE void put(struct dt_slot *slot, u8 c)
{
	dt_put(slot, slot->loop.b + slot->loop.j, c);
	slot->loop.j++;
}

DT_INLINE void put_decimal(struct dt_slot *slot, u8 x)
{
	if (x >= 100)
		put(slot, '0' + x / 100);
	if (x >= 10)
		put(slot, '0' + x / 10 % 10);
	put(slot, '0' + x % 10);
}

DT_INLINE u8 hex_digit(u32 x)
{
	x &= 15;
	return x < 10 ? '0' + x : 'a' + x - 10;
}

DT_BODY(quad_step)
{
	if (index)
		put(slot, '.');
	put_decimal(slot, slot->loop.set[(slot->loop.a + index) & 31]);
	return 0;
}

DT_INLINE void put_quad(struct dt_slot *slot, u32 first)
{
	slot->loop.a = first;
	dt_repeat(4, quad_step, slot);
}

/*
 * dt_inet4_text - dotted quad of the four bytes in loop.set.
 */
DT_FUNC int dt_inet4_text(struct dt_slot *slot, u32 result)
{
	slot->loop.b = result;
	slot->loop.j = 0;
	put_quad(slot, 0);
	put(slot, 0);
	return 0;
}

DT_INLINE u32 group(struct dt_slot *slot, u32 n)
{
	u32 at = n * 2;

	return (u32)slot->loop.set[at & 31] << 8 | slot->loop.set[(at + 1) & 31];
}

/* The longest run of zero groups: i where it begins, depth how long; value, aux: the run being counted. */
DT_BODY(zero_step)
{
	struct dt_loop *loop = &slot->loop;

	if (group(slot, index) != 0) {
		loop->aux = 0;
		return 0;
	}
	if (loop->aux == 0)
		loop->value = index;
	loop->aux++;
	if (loop->aux > loop->depth) {
		loop->depth = loop->aux;
		loop->i = loop->value;
	}
	return 0;
}

DT_BODY(group_step)
{
	struct dt_loop *loop = &slot->loop;
	u32 x;

	if (loop->depth > 1 && index >= loop->i && index < loop->i + loop->depth) {
		if (index == loop->i)
			put(slot, ':');
		if (index == 7)
			put(slot, ':');
		return 0;
	}
	if (index)
		put(slot, ':');
	if (loop->state && index == 6) {
		put_quad(slot, 12);
		return 1;
	}
	x = group(slot, index);
	if (x > 0xfff)
		put(slot, hex_digit(x >> 12));
	if (x > 0xff)
		put(slot, hex_digit(x >> 8));
	if (x > 0xf)
		put(slot, hex_digit(x >> 4));
	put(slot, hex_digit(x));
	return 0;
}

/* How dt_inet6_text writes ::ffff:a.b.c.d and ::a.b.c.d. */
enum dt_inet6_style {
	DT_INET6_MAPPED = 0, /* with the prefix (inet_ntop) */
	DT_INET6_PLAIN = 1,  /* as an IPv4 address (inet_ntoa6) */
};

/*
 * dt_inet6_text - the sixteen bytes in loop.set, lower case, the longest run of zero groups as "::".
 */
DT_FUNC int dt_inet6_text(struct dt_slot *slot, u32 result, u32 style)
{
	struct dt_loop *loop = &slot->loop;
	u64 high, low;
	u32 mapped, compatible;

	__builtin_memcpy(&high, loop->set, 8);
	__builtin_memcpy(&low, loop->set + 8, 8);
	loop->b = result;
	loop->j = 0;
	/* ::ffff:0:0/96 in memory order; ::/96, but not :: and ::1 and what else begins with seven groups of zeros */
	mapped = high == 0 && (u32)low == 0xffff0000;
	compatible = high == 0 && (u32)low == 0 && group(slot, 6) != 0;
	loop->state = mapped || compatible;
	if ((mapped || compatible) && style == DT_INET6_PLAIN) {
		put_quad(slot, 12);
		put(slot, 0);
		return 0;
	}
	loop->depth = 0;
	loop->i = 0;
	loop->aux = 0;
	dt_repeat(8, zero_step, slot);
	dt_repeat(8, group_step, slot);
	put(slot, 0);
	return 0;
}

DT_BODY(octet_step)
{
	u8 x = slot->loop.set[index & 31];

	if (index)
		put(slot, ':');
	put(slot, hex_digit(x >> 4));
	put(slot, hex_digit(x));
	return 0;
}

/*
 * dt_link_text - `count` bytes (at most 20) in loop.set as xx:xx:...
 */
DT_FUNC int dt_link_text(struct dt_slot *slot, u32 result, u32 count)
{
	slot->loop.b = result;
	slot->loop.j = 0;
	dt_repeat(count, octet_step, slot);
	put(slot, 0);
	return 0;
}
