dtrace: invalid probe specifier: probe description pid*:libnosuchlibrary:f:entry does not match any probes
  1 | pid*:libnosuchlibrary:f:entry { exit(0); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  note: no file that N processes execute (N), no library in the dynamic linker's cache (N) and no program in $PATH is called libnosuchlibrary
dtrace: invalid probe specifier: probe description pid*:/usr/lib/nosuchlibrary.so:f:entry does not match any probes
  1 | pid*:/usr/lib/nosuchlibrary.so:f:entry { exit(0); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  note: no file that N processes execute (N) is called /usr/lib/nosuchlibrary.so, and it cannot be opened: No such file or directory
dtrace: invalid probe specifier: probe description pid*:/etc/passwd:f:entry does not match any probes
  1 | pid*:/etc/passwd:f:entry { exit(0); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~
  note: no file that N processes execute (N) is called /etc/passwd, and it is neither a program nor a library
dtrace: invalid probe specifier: failed to lookup 'getadrinfo' in /usr/lib/MACHINE/libc.so.6
  1 | pid*:libc:getadrinfo:entry { exit(0); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~
dtrace: invalid probe specifier: probe description pid*:libc:getadr*:entry does not match any probes
  1 | pid*:libc:getadr*:entry { exit(0); }
    | ^~~~~~~~~~~~~~~~~~~~~~~
  note: none of N files has such a probe
dtrace: invalid probe specifier: probe description pid*::getadrinfo:entry does not match any probes
  1 | pid*::getadrinfo:entry { exit(0); }
    | ^~~~~~~~~~~~~~~~~~~~~~
  note: none of N files has such a probe
dtrace: invalid probe specifier: a.out is the program of one process: name the program, by its name or path
  1 | pid*:a.out:main:entry { exit(0); }
    | ^~~~~~~~~~~~~~~~~~~~~
dtrace: invalid probe specifier: this means every function of every program: name a file, or a function
  1 | pid*:::entry { exit(0); }
    | ^~~~~~~~~~~~
