/* SPDX-License-Identifier: Apache-2.0 */
/*
 * funclatency.d: show how long functions take, as distributions of nanoseconds.
 *
 * The function is "vfs_read" for one of the kernel, "libc:malloc" for one of a program of -p or -c, or provider, module
 * and function, as in "syscall::read". A pattern takes several. If a function calls itself, the outermost call
 * counts.
 *
 * filters: -p -n -c -g -i
 * operand: FUNCTION | functions, also a pattern
 * option: -s | summary | show percentiles in place of distributions
 * column: FUNCTION | the function
 * column: COUNT | number of calls that returned
 * column: P50(ns), P90(ns), P99(ns) | so many of 100 took no longer, in nanoseconds: upper bounds of powers of two
 * column: MAX(ns) | the longest, in nanoseconds
 * example: funclatency.d -s -t 10 vfs_read | how long reads take in the kernel
 * example: funclatency.d -c 'ls -l' libc:malloc | how long allocations of a command take
 */
/* Calls inside of a call of the same function are counted in depth; mostly there are none. */
$1:$2:$3:entry
/selected || self->entered[probefunc]/
{
	if (self->entered[probefunc]) {
		self->depth[probefunc]++;
	} else {
		self->entered[probefunc] = timestamp;
	}
}

$1:$2:$3:return
/self->entered[probefunc]/
{
	if (self->depth[probefunc]) {
		self->depth[probefunc]--;
	} else {
		this->ns = timestamp - self->entered[probefunc];
		@times[probefunc] = quantize(this->ns);
		if (summary) {
			@count[probefunc] = count();
			@longest[probefunc] = max(this->ns);
		}
		self->entered[probefunc] = 0;
	}
}

tick-1s, END
/summary && due/
{
	heading ? printf("%-30s %9s %11s %11s %11s %11s\n", "FUNCTION", "COUNT", "P50(ns)", "P90(ns)", "P99(ns)", "MAX(ns)") : 0;
	printa("%-30s %@9d %@11.5q %@11.9q %@11.99q %@11d\n", @count, @times, @times, @times, @longest);
}

tick-1s, END
/!summary && due/
{
	printa("%s, nanoseconds %@d\n", @times);
}

tick-1s, END
/due/
{
	trunc(@count);
	trunc(@times);
	trunc(@longest);
}
