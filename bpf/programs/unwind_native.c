// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
/* unwind_native.c - the walk of unwind.c without managed frames. */
#define DT_UNWIND_NO_MANAGED
#include "bpf/programs/unwind.c"
