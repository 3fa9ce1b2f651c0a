plockstatN libc.so.6 mutex-acquire
plockstatN libc.so.6 mutex-release
plockstatN libc.so.6 mutex-block
plockstatN libc.so.6 mutex-blocked
plockstatN libc.so.6 mutex-spin
plockstatN libc.so.6 mutex-spun
plockstatN libc.so.6 mutex-error
plockstatN libc.so.6 rw-acquire
plockstatN libc.so.6 rw-release
plockstatN libc.so.6 rw-block
plockstatN libc.so.6 rw-blocked
plockstatN libc.so.6 rw-error
dtrace: invalid probe specifier plockstatPID:::mutex-block: probe description plockstatPID:::mutex-block does not match any probes
  1 | plockstatPID:::mutex-block
  note: process PID has no 64-bit glibc (libc.so.6), whose locks these probes trace
dtrace: invalid probe specifier plockstat0:::mutex-block: [D_PROC_BADPID] no process with pid 0: $target is 0 without -c and -p
dtrace: invalid probe specifier plockstat$target:::mutex-lock: probe description plockstatPID:::mutex-lock does not match any probes
  1 | plockstat$target:::mutex-lock
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
dtrace: invalid probe specifier plockstat:::mutex-block: probe description plockstat:::mutex-block does not match any probes
  1 | plockstat:::mutex-block
    | ^~~~~~~~~~~~~~~~~~~~~~~
  note: name a process, or all: plockstat$target::: with -c or -p, plockstat*:::
