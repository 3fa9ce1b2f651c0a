/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * file_users.h - what programs/file_users.c writes.
 */
#ifndef DT_FILE_USERS_H
#define DT_FILE_USERS_H

#include <linux/types.h>

struct dt_file_mapping {
  __u64 start;   /* address in the process that is walked */
  __u64 is_only; /* nobody else has the file mapped, nor this process elsewhere */
};

#endif
