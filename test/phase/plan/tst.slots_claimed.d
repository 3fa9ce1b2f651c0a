/* SPDX-License-Identifier: Apache-2.0 */
/* ASSERTION: of more programs than a CPU has slots, none has a slot of its own: all claim one. */
BEGIN { }
syscall::read:entry { }
syscall::read:return { }
profile-97 { }
tick-1s { }
END { }
