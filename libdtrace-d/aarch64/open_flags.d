/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_flags.d - flags of open(2) whose values differ by architecture.
 */
inline int O_DIRECT = 0200000;
inline int O_LARGEFILE = 0400000;
inline int O_DIRECTORY = 040000;
inline int O_NOFOLLOW = 0100000;
inline int O_TMPFILE = 020040000;
