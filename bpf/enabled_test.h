/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * enabled_test.h - what bpf/programs/enabled_test.c and the consumer share: the cookie of a link, which says where the
 * instruction's registers have the address of the variable.
 *
 *   bits 0-15   offset in struct pt_regs of a register; DT_TEST_NO_REGISTER: none
 *   bit 16      the address is in memory, at register + displacement; else it is that sum
 *   bit 17      addresses have 32 bits
 *   bits 32-63  displacement, signed
 */
#ifndef DT_ENABLED_TEST_H
#define DT_ENABLED_TEST_H

#include <linux/types.h>

#define DT_TEST_NO_REGISTER 0xffffULL
#define DT_TEST_IN_MEMORY (1ULL << 16)
#define DT_TEST_NARROW (1ULL << 17)

#endif
