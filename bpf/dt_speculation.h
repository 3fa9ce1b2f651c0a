/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_speculation.h - the ids of speculations, and the states of their slots.
 *
 * A commit or discard frees the slot of a speculation at once, so an id names the slot and which use of it is meant: the
 * consumer, which sees that later, can still tell the rows of one use from those of the next.
 *
 *   state (struct dt_speculation)           the slot is
 *   next use << 1                           idle
 *   use << 1 | 1                            active
 *   DT_SPEC_SETTLING | use << 1 | 1         on the way from active to one of the others
 *   DT_SPEC_UNHEARD | use << 1 | 1          committed, but the commit's record had no room: the consumer reads the state,
 *                                           commits the rows that it holds, and makes the slot idle
 */
#ifndef DT_SPECULATION_H
#define DT_SPECULATION_H

#define DT_SPEC_SLOT_BITS	11 /* DT_MAX_SPECULATIONS slots, from 1 */
#define DT_SPEC_USE_BITS	20 /* ids are positive ints; uses wrap */
#define DT_SPEC_SLOT(id)	((id) & ((1u << DT_SPEC_SLOT_BITS) - 1))
#define DT_SPEC_USE(id)		(((id) >> DT_SPEC_SLOT_BITS) & ((1u << DT_SPEC_USE_BITS) - 1))

#define DT_SPEC_UNHEARD		(1u << 31)
#define DT_SPEC_SETTLING	(1u << 30)
/* The state of a slot whose use number `use` is over. */
#define DT_SPEC_IDLE_AFTER(use) ((((use) + 1) & ((1u << DT_SPEC_USE_BITS) - 1)) << 1)

#endif
