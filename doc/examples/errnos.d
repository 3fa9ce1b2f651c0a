#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * errnos.d - system calls that fail, by program, call and error.
 *
 *     errnos.d                       until Ctrl-C
 *
 * The names of errors come from the D library; an inline picks one at each use. Errors without a name here show as
 * numbers.
 */
#pragma D option quiet

inline string error_name[int number] =
    number == EPERM ? "EPERM" :
    number == ENOENT ? "ENOENT" :
    number == EINTR ? "EINTR" :
    number == EBADF ? "EBADF" :
    number == ECHILD ? "ECHILD" :
    number == EAGAIN ? "EAGAIN" :
    number == EACCES ? "EACCES" :
    number == EEXIST ? "EEXIST" :
    number == ENOTDIR ? "ENOTDIR" :
    number == EINVAL ? "EINVAL" :
    number == ENOTTY ? "ENOTTY" :
    number == ENODATA ? "ENODATA" :
    number == ETIMEDOUT ? "ETIMEDOUT" :
    number == ECONNREFUSED ? "ECONNREFUSED" :
    number == EINPROGRESS ? "EINPROGRESS" : lltostr(number);

syscall:::return
/errno != 0/
{
	@failed[execname, probefunc, error_name[errno]] = count();
}

END
{
	printf("%-16s %-20s %-14s %8s\n", "PROGRAM", "CALL", "ERROR", "COUNT");
	printa("%-16s %-20s %-14s %@8d\n", @failed);
}
