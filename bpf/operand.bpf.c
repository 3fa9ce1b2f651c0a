// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/*
 * operand.bpf.c - arguments of sites that came to be known when the program was in the kernel already: their operands are
 * rows of a map, read one by one. Sites known before have code of their own.
 */
#include "dt_bpf.h"

#define DT_WORD 8

#ifdef DT_HOST
static u64 saved_register(const void *registers, u16 offset)
{
	return *(const u64 *)((const char *)registers + offset);
}
#else
/* By a helper, because the verifier allows no offset that varies in a program's context. */
static __attribute__((always_inline)) u64 saved_register(const void *registers, u16 offset)
{
	u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), registers + offset);
	return value;
}
#endif

DT_INLINE u64 address_of(const void *registers, const struct dt_operand *operand)
{
	u64 address = operand->displacement;

	if (operand->base != DT_NO_REGISTER)
		address += saved_register(registers, operand->base);
	if (operand->index != DT_NO_REGISTER) {
		u64 index = saved_register(registers, operand->index);

		if (operand->flags & DT_OPERAND_INDEX_NARROW)
			index = operand->flags & DT_OPERAND_INDEX_SIGNED ? (u64)(s64)(s32)index : (u32)index;
		address += index * operand->scale;
	}
	return operand->flags & DT_OPERAND_NARROW ? (u32)address : address;
}

/*
 * widened - the bits of a double that is equal to a float.
 *
 * In:       the bits of any float.
 * Edge:     subnormal floats are normal doubles; infinities stay, a NaN keeps its payload.
 * Cost:     no helpers, no maps.      Fault: none.      Context: any.
 * Source:   IEEE 754, binary32 and binary64.
 */
DT_INLINE u64 widened(u32 bits)
{
	u64 sign = (u64)(bits >> 31) << 63;
	u64 fraction = (u64)(bits & 0x7fffff) << 29;
	u64 exponent = bits >> 23 & 0xff;
	int i;

	if (exponent == 0xff)
		return sign | 0x7ffULL << 52 | fraction;
	if (exponent == 0 && fraction == 0)
		return sign;
	exponent += 1023 - 127;
	if ((bits >> 23 & 0xff) == 0) {
		/* No leading 1: shift until there is one. */
		exponent++;
		for (i = 0; i < 23 && !(fraction >> 52); i++) {
			fraction <<= 1;
			exponent--;
		}
		fraction &= (1ULL << 52) - 1;
	}
	return sign | exponent << 52 | fraction;
}

/*
 * dt_operand_widen - the same, for code of its own: programs call it where a site's operand is known to be a float.
 */
DT_FUNC u64 dt_operand_widen(u32 bits)
{
	return widened(bits);
}

/*
 * extended - the low bytes of a word, as the operand's size and flags (DT_OPERAND_SIGNED, DT_OPERAND_FLOAT) want them:
 * sign-extended, or a float as a double.
 */
DT_INLINE u64 extended(u64 word, u32 size_bytes, u32 flags)
{
	u32 unused_bits = (DT_WORD - (size_bytes & 15)) * 8 & 63;

	if (size_bytes >= DT_WORD)
		return word;
	if (flags & DT_OPERAND_FLOAT)
		return size_bytes == 4 ? widened(word) : word;
	word <<= unused_bits;
	return flags & DT_OPERAND_SIGNED ? (u64)((s64)word >> unused_bits) : word >> unused_bits;
}

/*
 * dt_operand_extend - the same, for code of its own.
 */
DT_FUNC u64 dt_operand_extend(u64 word, u32 size_bytes, u32 flags)
{
	return extended(word, size_bytes, flags);
}

/*
 * dt_operand_place - the value of an operand, or where it lies.
 *
 * In:       registers, struct pt_regs of the firing; operand, map value; thread, narrow_thread: where thread-local
 *           variables are counted from in 64-bit and in 32-bit programs.
 * Out:      0: *out is the value; 1: it is the user address of operand->size_bytes bytes; -1: the operand is not to be had.
 * Stack:    calls nothing, because the frames of a chain of calls have 512 bytes together.
 * Fault:    none.      Context: any.
 */
DT_FUNC int dt_operand_place(const void *registers, const struct dt_operand *operand, u64 thread, u64 narrow_thread,
			     u64 *out)
{
	u64 low;

	switch (operand->kind) {
	case DT_OPERAND_CONSTANT:
		*out = operand->displacement;
		if (operand->flags & DT_OPERAND_FLOAT)
			*out = extended(operand->displacement, operand->size_bytes, DT_OPERAND_FLOAT);
		return 0;
	case DT_OPERAND_REGISTER:
		low = saved_register(registers, operand->base) >> (operand->shift_bits & 63);
		*out = extended(low, operand->size_bytes, operand->flags);
		return 0;
	case DT_OPERAND_PAIR:
		low = saved_register(registers, operand->base);
		/* Two halves of 32 bits make a word; of two words only the low one fits. */
		if (operand->flags & DT_OPERAND_NARROW)
			low = (u32)low | saved_register(registers, operand->index) << 32;
		*out = low;
		return 0;
	case DT_OPERAND_ADDRESS:
		*out = address_of(registers, operand);
		return 0;
	case DT_OPERAND_MEMORY:
		*out = address_of(registers, operand);
		return 1;
	case DT_OPERAND_THREAD:
		low = address_of(registers, operand);
		if (operand->flags & DT_OPERAND_NARROW)
			*out = (u32)(low + narrow_thread);
		else
			*out = low + thread;
		return 1;
	default:
		return -1;
	}
}
