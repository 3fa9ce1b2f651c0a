/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * dt_speculation.h - the ids of speculations.
 *
 * A commit or discard frees the slot of a speculation at once, so an id names the slot and which use of it is meant: the
 * consumer, which sees that later, can still tell the rows of one use from those of the next. While a use is active, the
 * slot's state (struct dt_speculation) is the number of the use << 1 | 1, else that of the next use << 1.
 */
#ifndef DT_SPECULATION_H
#define DT_SPECULATION_H

#define DT_SPEC_SLOT_BITS 11 /* DT_MAX_SPECULATIONS slots, from 1 */
#define DT_SPEC_USE_BITS  20 /* ids are positive ints; uses wrap */
#define DT_SPEC_SLOT(id)  ((id) & ((1u << DT_SPEC_SLOT_BITS) - 1))
#define DT_SPEC_USE(id)	  (((id) >> DT_SPEC_SLOT_BITS) & ((1u << DT_SPEC_USE_BITS) - 1))

#endif
