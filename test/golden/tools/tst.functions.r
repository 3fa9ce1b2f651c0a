ok: funccount: a function of a library
ok: funccount: system calls, by a pattern
ok: funclatency -s: ten waits of 10 ms
ok: funclatency: as a distribution, and in the library
ok: funclatency: none below 8 ms
ok: stackcount: by stacks
ok: stackcount -K: of the kernel
funccount.d: PROBE is missing: functions or probes, also a pattern
Try 'funccount.d --help'.
status 2
funccount.d: "libc:ffs" is a function of a program: -p or -c has to say which
Try 'funccount.d --help'.
status 2
funccount.d: one PROBE only; a pattern takes several
Try 'funccount.d --help'.
status 2
funclatency.d: "syscall::read:entry" has too many fields: the names of the probes are entry and return
Try 'funclatency.d --help'.
status 2
funccount.d: "a:b:c:d:e" has too many fields
Try 'funccount.d --help'.
status 2
dtrace: failed to compile script TOOLS/funccount.d: line 18: probe description syscall::nosuch:entry does not match any probes
 18 | $1:$2:$3:$4
    | ^~~~~~~~~~~
status 1
