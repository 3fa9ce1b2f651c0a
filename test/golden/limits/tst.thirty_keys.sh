#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: thirty clauses whose keys are arguments of the process, or path names of its open files, have the verifier look at less
# than 120 000 instructions: of the walk along a path it follows one step.
calls='read write open openat close stat fstat lstat poll lseek mmap mprotect munmap brk ioctl pread64 pwrite64 readv writev
	access pipe select dup dup2 socket connect accept sendto recvfrom execve'
[ "$(uname -m)" = x86_64 ] || calls='read write openat openat2 close fstat statx lseek mmap mprotect munmap brk ioctl pread64 pwrite64
	readv writev faccessat pipe2 pselect6 dup dup3 socket connect accept sendto recvfrom execve bind listen'
verified() {
  local call program='BEGIN { exit(0); }'
  for call in $calls; do program+=" syscall::$call:entry { @$call[$1] = count(); }"; done
  "$dtrace" $dt_flags -q -x bpflog -x syscalls=tracepoint -n "$program" 2>&1 |
    awk '/^processed [0-9]+ insns/ && $2 > most { most = $2 }
      END { print (most == 0 ? "no account" : most < 120000 ? "few" : most " instructions") }'
}
verified 'curpsinfo->pr_psargs'
verified 'fds[arg0].fi_pathname'
