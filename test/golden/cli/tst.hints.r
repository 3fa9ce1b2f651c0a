$ dtrace -x quite -n BEGIN
! dtrace: failed to set -x quite: Invalid option name
!   note: did you mean quiet?
status 1
$ dtrace -x nothingofthekind -n BEGIN
! dtrace: failed to set -x nothingofthekind: Invalid option name
status 1
$ dtrace -b 4q -n BEGIN
! dtrace: failed to set -x bufsize: Invalid value for specified option
!   note: bufsize takes a size above 0, as in 64k or 4m
status 1
$ dtrace -b 0 -n BEGIN
! dtrace: failed to set -x bufsize: Invalid value for specified option
!   note: bufsize takes a size above 0, as in 64k or 4m
status 1
$ dtrace -x evaltime=never -n BEGIN
! dtrace: failed to set -x evaltime: Invalid value for specified option
!   note: evaltime takes exec, preinit, postinit or main
status 1
$ dtrace -x evaltime -n BEGIN
! dtrace: failed to set -x evaltime: Invalid value for specified option
!   note: evaltime takes exec, preinit, postinit or main
status 1
$ dtrace -x zdefs=1 -n BEGIN
! dtrace: failed to set -x zdefs: Invalid value for specified option
!   note: zdefs takes no value, or yes or no
status 1
$ dtrace -x aggrate=often -n BEGIN
! dtrace: failed to set -x aggrate: Invalid value for specified option
!   note: aggrate takes a time or a rate, as in 10ms or 100hz
status 1
$ dtrace -x setenv=NAME -n BEGIN
! dtrace: failed to set -x setenv: Invalid value for specified option
!   note: setenv takes name=value
status 1
-- probes
$ dtrace -n syscall::raed:entry
! dtrace: invalid probe specifier syscall::raed:entry: probe description syscall::raed:entry does not match any probes
!   1 | syscall::raed:entry
!     | ^~~~~~~~~~~~~~~~~~~
!   note: did you mean syscall::read:entry?
status 1
$ dtrace -n lockstat:::spin-acquire
! dtrace: invalid probe specifier lockstat:::spin-acquire: probe description lockstat:::spin-acquire does not match any probes
!   1 | lockstat:::spin-acquire
!     | ^~~~~~~~~~~~~~~~~~~~~~~
!   note: the programs of dtrace take spin locks themselves, so those that are free are not reported: lockstat:::spin-spin fires for those that are waited for
status 1
$ dtrace -n nfsv3:::op-read-start
! dtrace: invalid probe specifier nfsv3:::op-read-start: probe description nfsv3:::op-read-start does not match any probes
!   1 | nfsv3:::op-read-start
!     | ^~~~~~~~~~~~~~~~~~~~~
!   note: it needs the kernel module nfsd, which is not loaded
status 1
$ dtrace -n syscall:read:entry
! dtrace: invalid probe specifier syscall:read:entry: probe description :syscall:read:entry does not match any probes
!   1 | syscall:read:entry
!     | ^~~~~~~~~~~~~~~~~~
!   note: did you mean syscall::read:entry?
status 1
$ dtrace -n sycall::read:entry
! dtrace: invalid probe specifier sycall::read:entry: probe description sycall::read:entry does not match any probes
!   1 | sycall::read:entry
!     | ^~~~~~~~~~~~~~~~~~
!   note: did you mean syscall::read:entry?
status 1
$ dtrace -n syscall::read:enter { trace(1); }
! dtrace: invalid probe specifier: probe description syscall::read:enter does not match any probes
!   1 | syscall::read:enter { trace(1); }
!     | ^~~~~~~~~~~~~~~~~~~
!   note: did you mean syscall::read:entry?
status 1
$ dtrace -n begin
! dtrace: invalid probe specifier begin: probe description :::begin does not match any probes
!   1 | begin
!     | ^~~~~
!   note: did you mean BEGIN?
status 1
$ dtrace -n getpid
! dtrace: invalid probe specifier getpid: probe description :::getpid does not match any probes
!   1 | getpid
!     | ^~~~~~
!   note: did you mean getpid:entry?
status 1
$ dtrace -n tcp:::connect
! dtrace: invalid probe specifier tcp:::connect: probe description tcp:::connect does not match any probes
!   1 | tcp:::connect
!     | ^~~~~~~~~~~~~
!   note: did you mean tcp:::connect-established, tcp:::connect-refused or tcp:::connect-request?
status 1
$ dtrace -n uprobe:/bin/bash:readline { trace(1); }
! dtrace: invalid probe specifier: syntax error near ":"
!   1 | uprobe:/bin/bash:readline { trace(1); }
!     |                 ^
!   note: did you mean pid*:/bin/bash:readline:entry?
status 1
$ dtrace -n tracepoint:syscalls:sys_enter_openat
! dtrace: invalid probe specifier tracepoint:syscalls:sys_enter_openat: probe description :tracepoint:syscalls:sys_enter_openat does not match any probes
!   1 | tracepoint:syscalls:sys_enter_openat
!     | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
!   note: did you mean syscall::openat:entry?
status 1
-- expressions
$ dtrace -n BEGIN{trace(pdi)}
! dtrace: invalid probe specifier: in action list: failed to resolve pdi: Unknown variable name
!   1 | BEGIN{trace(pdi)}
!     |             ^~~
!   note: did you mean pid?
status 1
$ dtrace -n syscall::openat:entry { printf("%s", args[1]); }
! dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
! 	conversion: %s
! 	 prototype: char [] or string (or use stringof)
! 	  argument: userland const char *
!   1 | syscall::openat:entry { printf("%s", args[1]); }
!     |                                      ^~~~~~~
!   note: did you mean copyinstr(args[1])?
status 1
$ dtrace -n BEGIN /execname == cat/ { exit(0); }
! dtrace: invalid probe specifier: in predicate: failed to resolve cat: Unknown variable name
!   1 | BEGIN /execname == cat/ { exit(0); }
!     |                    ^~~
!   note: "cat" is a string: write execname == "cat"
status 1
$ dtrace -n BEGIN /execname == 'cat'/ { exit(0); }
! dtrace: invalid probe specifier: in predicate: operands have incompatible types: "string" == "int"
!   1 | BEGIN /execname == 'cat'/ { exit(0); }
!     |        ^~~~~~~~~~~~~~~~~
!   note: "cat" is a string: write execname == "cat"
status 1
$ dtrace -n BEGIN { self.t = 1; }
! dtrace: invalid probe specifier: syntax error near "."
!   1 | BEGIN { self.t = 1; }
!     |             ^
!   note: did you mean self->t?
status 1
$ dtrace -n BEGIN { @[execname]++; }
! dtrace: invalid probe specifier: in action list: operator ++ requires an operand of scalar type, not "aggregation"
!   1 | BEGIN { @[execname]++; }
!     |         ^~~~~~~~~~~~~
!   note: did you mean @[execname] = count()?
status 1
$ dtrace -n BEGIN { @[ustack] = count(); }
! dtrace: invalid probe specifier: in action list: function ustack may not be referenced as variable
!   1 | BEGIN { @[ustack] = count(); }
!     |           ^~~~~~
!   note: did you mean ustack()?
status 1
$ dtrace -n BEGIN { for (i = 0; i < 3; i++) trace(i); }
! dtrace: invalid probe specifier: in action list: trace( ) may not be used in a loop: how much a clause records is known before it runs
!   1 | BEGIN { for (i = 0; i < 3; i++) trace(i); }
!     |                                 ^~~~~~~~
!   note: an aggregation or a variable can hold what a loop finds
status 1
$ dtrace -n BEGIN { trace(strcmp(execname, "a")); }
! dtrace: invalid probe specifier: in action list: undefined function name: strcmp
!   1 | BEGIN { trace(strcmp(execname, "a")); }
!     |               ^~~~~~
!   note: did you mean ==, which compares strings?
status 1
$ dtrace -n BEGIN { self->start = 1; trace(self->strat); trace(curthread->commm); trace(curpsinfo->pr_fnam); }
! dtrace: invalid probe specifier: in action list: self->strat has not yet been declared or assigned
!   1 | BEGIN { self->start = 1; trace(self->strat); trace(curthread->commm); trace(curpsinfo->pr_fnam); }
!     |                                ^~~~~~~~~~~
!   note: did you mean self->start?
! dtrace: invalid probe specifier: in action list: commm is not a member of struct task_struct
!   1 | BEGIN { self->start = 1; trace(self->strat); trace(curthread->commm); trace(curpsinfo->pr_fnam); }
!     |                                                               ^~~~~
!   note: did you mean comm?
! dtrace: invalid probe specifier: in action list: pr_fnam is not a member of struct psinfo
!   1 | BEGIN { self->start = 1; trace(self->strat); trace(curthread->commm); trace(curpsinfo->pr_fnam); }
!     |                                                                             ^~~~~~~~~~~~~~~~~~
!   note: did you mean pr_fname?
status 1
-- several mistakes
$ dtrace -s pragma.d
! dtrace: failed to compile script pragma.d: line 1: failed to set option 'quite': Invalid option name
!   1 | #pragma D option quite
!     |                  ^~~~~
!   note: did you mean quiet?
status 1
$ dtrace -s several.d
! dtrace: failed to compile script several.d: line 3: failed to resolve one: Unknown variable name
!   3 | 	x = one;
!     | 	    ^~~
! dtrace: failed to compile script several.d: line 5: failed to resolve two: Unknown variable name
!   5 | 	trace(two);
!     | 	      ^~~
! dtrace: failed to compile script several.d: line 7: probe description sycall:::entry does not match any probes
!   7 | sycall:::entry { @ = count(); trace(three); }
!     | ^~~~~~~~~~~~~~
!   note: did you mean syscall:::entry?
! dtrace: failed to compile script several.d: line 7: failed to resolve three: Unknown variable name
!   7 | sycall:::entry { @ = count(); trace(three); }
!     |                                     ^~~~~
status 1
$ dtrace -xerrtags -s several.d
! dtrace: failed to compile script several.d: [D_IDENT_UNDEF] line 3: failed to resolve one: Unknown variable name
status 1
$ dtrace -s many.d
! dtrace: failed to compile script many.d: line 1: failed to resolve n1: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n2: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n3: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n4: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n5: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n6: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n7: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n8: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n9: Unknown variable name
! dtrace: failed to compile script many.d: line 1: failed to resolve n10: Unknown variable name
! dtrace: 2 more errors
status 1
-- listing
$ dtrace -ln getpi*
   ID   PROVIDER            MODULE                          FUNCTION NAME
! dtrace: failed to match :::getpi*: No probe matches description
!   note: N probes of functions of that name: dtrace -lf 'getpi*'
status 0
