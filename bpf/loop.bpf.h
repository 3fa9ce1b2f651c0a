/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * loop.bpf.h - loops over bytes in a slot, the same for BPF and for the host's tests.
 *
 * bpf_loop() has the verifier look at the body once instead of once an iteration: a string function costs 100 instructions
 * of verification, not 5000. Each character costs about 3 ns.
 */
#ifndef DT_LOOP_BPF_H
#define DT_LOOP_BPF_H

#include "dt_bpf.h"
#include "dt_slot.h"

/*
 * DT_BODY - defines what a loop does with its `slot`; returns 1 to end the loop.
 *
 * bpf_loop() hands its body an address on the stack only, so there lies the pointer to the slot. The body does not change it.
 */
#define DT_BODY(name)                                                                                   \
	static inline __attribute__((always_inline)) long name##_step(u32 index, struct dt_slot *slot); \
	static long name(u32 index, struct dt_slot **where)                                             \
	{                                                                                               \
		return name##_step(index, *where);                                                      \
	}                                                                                               \
	static inline __attribute__((always_inline)) long name##_step(u32 index, struct dt_slot *slot)

#ifdef DT_HOST
extern __u64 dt_slot_bytes;
typedef long dt_body(u32 index, struct dt_slot **where);
DT_INLINE void dt_repeat(u32 times, dt_body *body, struct dt_slot *slot)
{
	for (u32 i = 0; i < times; i++)
		if (body(i, &slot))
			break;
}
#define dt_opaque(x) (x)
#else
/* Size of a slot; defined by the code generator, a constant once linked. */
extern const __u64 dt_slot_bytes;
#define dt_repeat(times, body, slot)                \
	({                                          \
		struct dt_slot *__where = (slot);   \
		bpf_loop(times, body, &__where, 0); \
	})
/* The verifier must see the test and the use of one register. */
#define dt_opaque(x)              \
	({                        \
		u64 __x = (x);    \
		barrier_var(__x); \
		__x;              \
	})
#endif

/*
 * dt_get - the byte at an offset of the slot; 0 outside.
 */
DT_INLINE u8 dt_get(struct dt_slot *slot, u64 offset)
{
	offset = dt_opaque(offset);
	if (offset >= dt_slot_bytes)
		return 0;
	return ((u8 *)slot)[offset];
}

/*
 * dt_put - stores a byte; nothing outside the slot or inside its head.
 */
DT_INLINE void dt_put(struct dt_slot *slot, u64 offset, u8 byte)
{
	if (offset < sizeof(*slot))
		return;
	/* Apart from the first test: as one, of a difference, it would tell older verifiers nothing about the offset. */
	offset = dt_opaque(offset);
	if (offset >= dt_slot_bytes)
		return;
	((u8 *)slot)[offset] = byte;
}

#endif
