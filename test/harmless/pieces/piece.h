// SPDX-License-Identifier: Apache-2.0
// What a piece of a made program sees. A piece is a function of a file of its own, named as the file is: it computes
// something by the means that the file is about, and says what it has come to. `within(n)` runs the pieces that come
// next in the program inside of it, so that each is tried inside of every other.
#pragma once
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif
#define OUTLINE __attribute__((noinline, noclone))
#define KEEP(x) __asm__ volatile("" : "+r"(x)::"memory")
/// One line of output, by one call of write(2): signal handlers and children may say something, too.
void say(const char *what, long value);
/// A number that follows from n; it runs other pieces, unless the program has come to its last, or is deep enough.
long within(long n);
/// The same outside of the pieces: a function that calls nothing, and one that calls back.
long mixed(long n);
#ifdef __cplusplus
}
#endif
