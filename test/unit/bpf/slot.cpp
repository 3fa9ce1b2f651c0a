// SPDX-License-Identifier: Apache-2.0
// The size of a slot, which the code generator defines in a D program.
#include "bpf/dt_slot.h"

extern "C" {
__u64 dt_slot_bytes;
}
