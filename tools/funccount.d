/* SPDX-License-Identifier: Apache-2.0 */
/*
 * funccount.d: count how often functions, or other probes, are reached.
 *
 * The probe is "vfs_*" for functions of the kernel, "libc:mem*" for those of a program of -p or -c, or a description
 * with all fields, as in "syscall::read:entry". An object "a.out" is the program itself.
 *
 * filters: -p -n -c -g -i
 * operand: PROBE | functions or probes, also a pattern
 * column: MODULE | the kernel's module, or the file
 * column: FUNCTION | the function
 * column: COUNT | how often it was reached
 * example: funccount.d -t 10 'vfs_*' | which functions of the kernel's file systems are called
 * example: funccount.d -c 'ls -l' 'libc:str*' | which functions for strings a command calls
 */
#pragma D option aggsortrev

$1:$2:$3:$4
/selected/
{
	@calls[probemod, probefunc] = count();
}

tick-1s, END
/due/
{
	heading ? printf("%-20s %-40s %10s\n", "MODULE", "FUNCTION", "COUNT") : 0;
	printa("%-20s %-40s %@10d\n", @calls);
	trunc(@calls);
}
