/* SPDX-License-Identifier: Apache-2.0 */
/* ASSERTION: updates need not be atomic where one program alone makes them, and the kernel does not run it twice. */
profile-97 { @one = count(); @both = count(); @twice[pid] = sum(1); }
profile-97 { @twice[1] = sum(2); }
profile-99 { @both = count(); trace(*(int *)0); }
ERROR { @fault = count(); }
BEGIN { @begin = count(); @used = count(); }
tick-1s { printa(@used); }
