sysfork 3, sysvfork 3, nthreads 10, sysexec 2

