/* SPDX-License-Identifier: Apache-2.0 */
/* ASSERTION: BEGIN and END share a slot of scratch, each other program that the kernel runs once a CPU has its own. */
BEGIN { }
syscall::read:entry, syscall::write:entry { }
syscall::read:return { }
tick-1s { }
END { }
