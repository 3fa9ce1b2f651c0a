
== other tracers

$ dtrace -n 'kprobe:do_sys_open { @[comm] = count(); }'
dtrace: invalid probe specifier: probe description ::kprobe:do_sys_open does not match any probes
  1 | kprobe:do_sys_open { @[comm] = count(); }
    | ^~~~~~~~~~~~~~~~~~
  note: did you mean fbt::do_sys_open:entry?
dtrace: invalid probe specifier: in action list: failed to resolve comm: Unknown variable name
  1 | kprobe:do_sys_open { @[comm] = count(); }
    |                        ^~~~
  note: did you mean execname?

$ dtrace -n 'kretprobe:vfs_read { @ = hist(retval); }'
dtrace: invalid probe specifier: probe description ::kretprobe:vfs_read does not match any probes
  1 | kretprobe:vfs_read { @ = hist(retval); }
    | ^~~~~~~~~~~~~~~~~~
  note: did you mean fbt::vfs_read:return?
dtrace: invalid probe specifier: in action list: undefined function name: hist
  1 | kretprobe:vfs_read { @ = hist(retval); }
    |                          ^~~~
  note: did you mean quantize()?

$ dtrace -n 'tracepoint:syscalls:sys_enter_openat { printf("%s %s\n", comm, str(args.filename)); }'
dtrace: invalid probe specifier: probe description :tracepoint:syscalls:sys_enter_openat does not match any probes
  1 | tracepoint:syscalls:sys_enter_openat { printf("%s %s\n", comm, str(args.filename)); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  note: did you mean syscall::openat:entry?
dtrace: invalid probe specifier: in action list: failed to resolve comm: Unknown variable name
  1 | tracepoint:syscalls:sys_enter_openat { printf("%s %s\n", comm, str(args.filename)); }
    |                                                          ^~~~
  note: did you mean execname?

$ dtrace -n 'tracepoint:sched:sched_switch { @[kstack] = count(); }'
dtrace: invalid probe specifier: probe description :tracepoint:sched:sched_switch does not match any probes
  1 | tracepoint:sched:sched_switch { @[kstack] = count(); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  note: did you mean sdt:sched::sched_switch?
dtrace: invalid probe specifier: in action list: failed to resolve kstack: Unknown variable name
  1 | tracepoint:sched:sched_switch { @[kstack] = count(); }
    |                                   ^~~~~~
  note: did you mean stack()?

$ dtrace -n 'uprobe:/bin/bash:readline { @ = count(); }'
dtrace: invalid probe specifier: syntax error near ":"
  1 | uprobe:/bin/bash:readline { @ = count(); }
    |                 ^
  note: did you mean pid*:/bin/bash:readline:entry?

$ dtrace -n 'interval:s:1 { exit(0); }'
dtrace: invalid probe specifier: probe description :interval:s:1 does not match any probes
  1 | interval:s:1 { exit(0); }
    | ^~~~~~~~~~~~
  note: did you mean tick-1s?

$ dtrace -n 'profile:hz:99 { @[ustack] = count(); }'
dtrace: invalid probe specifier: probe description :profile:hz:99 does not match any probes
  1 | profile:hz:99 { @[ustack] = count(); }
    | ^~~~~~~~~~~~~
  note: did you mean profile-99hz?
dtrace: invalid probe specifier: in action list: function ustack may not be referenced as variable
  1 | profile:hz:99 { @[ustack] = count(); }
    |                   ^~~~~~
  note: did you mean ustack()?

$ dtrace -n 'usdt:/usr/bin/python3:python:function__entry { @ = count(); }'
dtrace: invalid probe specifier: syntax error near ":"
  1 | usdt:/usr/bin/python3:python:function__entry { @ = count(); }
    |                      ^
  note: did you mean python*:::function-entry?

$ dtrace -n 'software:page-faults:1 { @ = count(); }'
dtrace: invalid probe specifier: probe description :software:page-faults:1 does not match any probes
  1 | software:page-faults:1 { @ = count(); }
    | ^~~~~~~~~~~~~~~~~~~~~~
  note: did you mean cpc:::page-faults-all-1?

$ dtrace -n 'BEGIN { @[comm] = count(); }'
dtrace: invalid probe specifier: in action list: failed to resolve comm: Unknown variable name
  1 | BEGIN { @[comm] = count(); }
    |           ^~~~
  note: did you mean execname?

$ dtrace -n 'BEGIN { trace(nsecs); }'
dtrace: invalid probe specifier: in action list: failed to resolve nsecs: Unknown variable name
  1 | BEGIN { trace(nsecs); }
    |               ^~~~~
  note: did you mean timestamp?

$ dtrace -n 'BEGIN { printf("%s", str(arg0)); }'
dtrace: invalid probe specifier: in action list: undefined function name: str
  1 | BEGIN { printf("%s", str(arg0)); }
    |                      ^~~
  note: did you mean copyinstr()?

$ dtrace -n 'BEGIN { @ = hist(1); }'
dtrace: invalid probe specifier: in action list: undefined function name: hist
  1 | BEGIN { @ = hist(1); }
    |             ^~~~
  note: did you mean quantize()?

$ dtrace -n 'BEGIN { @ = lhist(1, 0, 10, 1); }'
dtrace: invalid probe specifier: in action list: undefined function name: lhist
  1 | BEGIN { @ = lhist(1, 0, 10, 1); }
    |             ^~~~~
  note: did you mean lquantize()?

$ dtrace -n 'BEGIN { @ = stats(1); }'
dtrace: invalid probe specifier: in action list: undefined function name: stats
  1 | BEGIN { @ = stats(1); }
    |             ^~~~~
  note: did you mean avg(), count() and sum()?

$ dtrace -n 'BEGIN { trace(curtask); }'
dtrace: invalid probe specifier: in action list: failed to resolve curtask: Unknown variable name
  1 | BEGIN { trace(curtask); }
    |               ^~~~~~~
  note: did you mean curthread?

$ dtrace -n 'BEGIN { trace(kstack); }'
dtrace: invalid probe specifier: in action list: failed to resolve kstack: Unknown variable name
  1 | BEGIN { trace(kstack); }
    |               ^~~~~~
  note: did you mean stack()?

$ dtrace -n 'BEGIN { $x = 1; }'
dtrace: invalid probe specifier: macro variable $x is not defined
  1 | BEGIN { $x = 1; }
    |         ^~
  note: variables of a D program have no $: write x, this->x or self->x

$ dtrace -n 'BEGIN { print(@x); }'
dtrace: invalid probe specifier: in action list: failed to resolve @x: Unknown variable name
  1 | BEGIN { print(@x); }
    |               ^~

$ dtrace -n 'BEGIN { clear(@); }'
dtrace: invalid probe specifier: in action list: failed to resolve @_: Unknown variable name
  1 | BEGIN { clear(@); }
    |               ^

$ dtrace -n 'BEGIN { zero(@a); }'
dtrace: invalid probe specifier: in action list: undefined function name: zero
  1 | BEGIN { zero(@a); }
    |         ^~~~
  note: did you mean clear()?

$ dtrace -n 'BEGIN { delete(a["x"]); }'
dtrace: invalid probe specifier: in action list: undefined function name: delete
  1 | BEGIN { delete(a["x"]); }
    |         ^~~~~~
  note: did you mean an assignment of 0?

$ dtrace -n 'BEGIN { @a["x"]++; }'
dtrace: invalid probe specifier: in action list: operator ++ requires an operand of scalar type, not "aggregation"
  1 | BEGIN { @a["x"]++; }
    |         ^~~~~~~~~
  note: did you mean @a["x"] = count()?

$ dtrace -n 'BEGIN { @a = 1; }'
dtrace: invalid probe specifier: in action list: aggregation @a must be assigned an aggregating function: @a = function( )
  1 | BEGIN { @a = 1; }
    |              ^

$ dtrace -n 'BEGIN { @a = count; }'
dtrace: invalid probe specifier: in action list: function count may not be referenced as variable
  1 | BEGIN { @a = count; }
    |              ^~~~~
  note: did you mean count()?

$ dtrace -n 'BEGIN { unroll(5) { trace(1); } }'
dtrace: invalid probe specifier: syntax error near "{"
  1 | BEGIN { unroll(5) { trace(1); } }
    |                   ^
  note: D has for and while

$ dtrace -n 'BEGIN { let x = 1; }'
dtrace: invalid probe specifier: syntax error near "x"
  1 | BEGIN { let x = 1; }
    |             ^
  note: an assignment creates a variable: this->x = 1

== conditions and statements

$ dtrace -n 'BEGIN { if (pid = 3) { trace(1); } }'
dtrace: invalid probe specifier: in action list: operator = can only be applied to a writable variable
  1 | BEGIN { if (pid = 3) { trace(1); } }
    |             ^~~~~~~
  note: == compares

$ dtrace -n 'BEGIN /pid = 3/ { trace(1); }'
dtrace: invalid probe specifier: in predicate: operator = can only be applied to a writable variable
  1 | BEGIN /pid = 3/ { trace(1); }
    |        ^~~~~~~
  note: == compares

$ dtrace -n 'BEGIN { if pid == 3 { trace(1); } }'
dtrace: invalid probe specifier: syntax error near "pid"
  1 | BEGIN { if pid == 3 { trace(1); } }
    |            ^~~
  note: write the condition of if in parentheses: if (...)

$ dtrace -n 'BEGIN { if (pid == 3) trace(1); elseif (pid == 4) trace(2); }'
dtrace: invalid probe specifier: syntax error near "trace"
  1 | BEGIN { if (pid == 3) trace(1); elseif (pid == 4) trace(2); }
    |                                                   ^~~~~
  note: write else if (...)

$ dtrace -n 'BEGIN { else { trace(1); } }'
dtrace: invalid probe specifier: syntax error near "else"
  1 | BEGIN { else { trace(1); } }
    |         ^~~~
  note: else must follow the statement or the block of an if

$ dtrace -n 'BEGIN { trace(1) trace(2) }'
dtrace: invalid probe specifier: syntax error near "trace"
  1 | BEGIN { trace(1) trace(2) }
    |                  ^~~~~
  note: a ; ends each statement: is one missing before trace?

$ dtrace -n 'BEGIN { trace(1), trace(2); }'
dtrace: invalid probe specifier: in action list: operator , operands cannot be actions: trace( )
  1 | BEGIN { trace(1), trace(2); }
    |         ^~~~~~~~

== strings and formats

$ dtrace -n 'BEGIN { printf "hello\n"; }'
dtrace: invalid probe specifier: syntax error near "hello\n"
  1 | BEGIN { printf "hello\n"; }
    |                ^~~~~~~~~
  note: write the arguments of a function in parentheses: printf("hello\n")

$ dtrace -n 'BEGIN { print "hello"; }'
dtrace: invalid probe specifier: syntax error near "hello"
  1 | BEGIN { print "hello"; }
    |               ^~~~~~~
  note: write the arguments of a function in parentheses: print("hello")

$ dtrace -n "BEGIN { printf('hello'); }"
dtrace: invalid probe specifier: in action list: printf( ) format must be a string constant
  1 | BEGIN { printf('hello'); }
    |                ^~~~~~~
  note: strings have double quotes

$ dtrace -n 'BEGIN { printf("%s %d\n", execname); }'
dtrace: invalid probe specifier: in action list: printf( ) prototype mismatch: conversion #2 (%d) is missing a corresponding value argument
  1 | BEGIN { printf("%s %d\n", execname); }
    |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~

$ dtrace -n 'BEGIN { printf("%d\n", execname); }'
dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %d
	 prototype: any integer
	  argument: string
  1 | BEGIN { printf("%d\n", execname); }
    |                        ^~~~~~~~

$ dtrace -n 'BEGIN { printf("%s\n", pid); }'
dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %s
	 prototype: char [] or string (or use stringof)
	  argument: pid_t
  1 | BEGIN { printf("%s\n", pid); }
    |                        ^~~
  note: a string of the program is read by copyinstr(pid), one of the kernel by stringof((char *)pid)

$ dtrace -n 'BEGIN { printf("%q\n", pid); }'
dtrace: invalid probe specifier: in action list: printf( ) format conversion #1 is a quantile without its share: %@.5q is the median, %@.99q the 99th percentile
  1 | BEGIN { printf("%q\n", pid); }
    |                ^~~~~~

$ dtrace -n 'BEGIN { printf("hello); }'
dtrace: invalid probe specifier: syntax error near end of input: string is not closed
  1 | BEGIN { printf("hello); }
    |                ^~~~~~~~~~

== clauses

$ dtrace -n 'BEGIN trace(1);'
dtrace: invalid probe specifier: syntax error near "("
  1 | BEGIN trace(1);
    |            ^
  note: write the actions of a clause in braces after the probe: BEGIN { trace(1); }
dtrace: invalid probe specifier: extra ) in input stream
  1 | BEGIN trace(1);
    |              ^

$ dtrace -n 'BEGIN { trace(1); } }'
dtrace: invalid probe specifier: extra } in input stream
  1 | BEGIN { trace(1); } }
    |                     ^

$ dtrace -n 'BEGIN() { trace(1); }'
dtrace: invalid probe specifier: syntax error near "("
  1 | BEGIN() { trace(1); }
    |      ^
  note: write the actions of a clause in braces after the probe: BEGIN { trace(1); }
dtrace: invalid probe specifier: extra ) in input stream
  1 | BEGIN() { trace(1); }
    |       ^
dtrace: invalid probe specifier: syntax error near "{"
  1 | BEGIN() { trace(1); }
    |         ^
  note: a clause begins with its probe: BEGIN { trace(1); }

$ dtrace -n 'BEGIN: { trace(1); }'
dtrace: invalid probe specifier: probe description ::BEGIN: does not match any probes
  1 | BEGIN: { trace(1); }
    | ^~~~~~

$ dtrace -n '{ trace(1); }'
dtrace: invalid probe specifier: syntax error near "{"
  1 | { trace(1); }
    | ^
  note: a clause begins with its probe: BEGIN { trace(1); }

== probes

$ dtrace -n 'syscall::opneat:entry { trace(1); }'
dtrace: invalid probe specifier: probe description syscall::opneat:entry does not match any probes
  1 | syscall::opneat:entry { trace(1); }
    | ^~~~~~~~~~~~~~~~~~~~~
  note: did you mean syscall::openat:entry?

$ dtrace -n 'syscall::openat:enter { trace(1); }'
dtrace: invalid probe specifier: probe description syscall::openat:enter does not match any probes
  1 | syscall::openat:enter { trace(1); }
    | ^~~~~~~~~~~~~~~~~~~~~
  note: did you mean syscall::openat:entry?

$ dtrace -n 'syscall::openat:exit { trace(1); }'
dtrace: invalid probe specifier: probe description syscall::openat:exit does not match any probes
  1 | syscall::openat:exit { trace(1); }
    | ^~~~~~~~~~~~~~~~~~~~
  note: did you mean syscall::openat:return?

$ dtrace -n 'syscall::nanosleep { trace(probename); }'
dtrace: invalid probe specifier: probe description :syscall::nanosleep does not match any probes
  1 | syscall::nanosleep { trace(probename); }
    | ^~~~~~~~~~~~~~~~~~
  note: did you mean syscall::nanosleep:entry?

$ dtrace -n 'sched:::oncpu { trace(1); }'
dtrace: invalid probe specifier: probe description sched:::oncpu does not match any probes
  1 | sched:::oncpu { trace(1); }
    | ^~~~~~~~~~~~~
  note: did you mean sched:::on-cpu?

$ dtrace -n 'proc:::exec-sucess { trace(1); }'
dtrace: invalid probe specifier: probe description proc:::exec-sucess does not match any probes
  1 | proc:::exec-sucess { trace(1); }
    | ^~~~~~~~~~~~~~~~~~
  note: did you mean proc:::exec-success?

$ dtrace -n 'io:::begin { trace(1); }'
dtrace: invalid probe specifier: probe description io:::begin does not match any probes
  1 | io:::begin { trace(1); }
    | ^~~~~~~~~~

$ dtrace -n 'tick-5seconds { exit(0); }'
dtrace: invalid probe specifier: probe description :::tick-5seconds does not match any probes
  1 | tick-5seconds { exit(0); }
    | ^~~~~~~~~~~~~
  note: write a whole number after tick- or profile-, with ns, us, ms, s, m, h, d or hz: tick-5s, profile-997

$ dtrace -n 'tick-1.5s { exit(0); }'
dtrace: invalid probe specifier: probe description :::tick-1.5s does not match any probes
  1 | tick-1.5s { exit(0); }
    | ^~~~~~~~~
  note: write a whole number after tick- or profile-, with ns, us, ms, s, m, h, d or hz: tick-5s, profile-997

$ dtrace -n 'profile-0 { trace(1); }'
dtrace: invalid probe specifier: probe description :::profile-0 does not match any probes
  1 | profile-0 { trace(1); }
    | ^~~~~~~~~
  note: did you mean profile-97?

$ dtrace -n 'profile-997hertz { trace(1); }'
dtrace: invalid probe specifier: probe description :::profile-997hertz does not match any probes
  1 | profile-997hertz { trace(1); }
    | ^~~~~~~~~~~~~~~~
  note: write a whole number after tick- or profile-, with ns, us, ms, s, m, h, d or hz: tick-5s, profile-997

$ dtrace -n 'begin { trace(1); }'
dtrace: invalid probe specifier: probe description :::begin does not match any probes
  1 | begin { trace(1); }
    | ^~~~~
  note: did you mean BEGIN?

$ dtrace -n 'END { trace(1) } ; BEGIN { exit(0); }'
dtrace: invalid probe specifier: syntax error near ";"
  1 | END { trace(1) } ; BEGIN { exit(0); }
    |                  ^
  note: there is no ; between clauses

$ dtrace -n 'dtrace:::START { }'
dtrace: invalid probe specifier: probe description dtrace:::START does not match any probes
  1 | dtrace:::START { }
    | ^~~~~~~~~~~~~~

== processes

$ dtrace -n 'pid1234567:libc:malloc:entry { trace(1); }'
dtrace: invalid probe specifier: failed to grab process 1234567: No such process
  1 | pid1234567:libc:malloc:entry { trace(1); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~

$ dtrace -n 'pid$target:libc:malloc:entry { trace(1); }'
dtrace: invalid probe specifier: invalid probe description "pid$target:libc:malloc:entry": Undefined macro variable in probe description: $target is the process of -c or -p
  1 | pid$target:libc:malloc:entry { trace(1); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~

$ dtrace -n 'pid$target:libc:maloc:entry { trace(1); }' -c true
dtrace: invalid probe specifier: failed to lookup 'maloc' in module 'libc.so.6'
  1 | pid$target:libc:maloc:entry { trace(1); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~

$ dtrace -n 'pid$target:libz:malloc:entry { trace(1); }' -c true
dtrace: invalid probe specifier: probe description pidN:libz:malloc:entry does not match any probes
  1 | pid$target:libz:malloc:entry { trace(1); }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~

$ dtrace -n 'pid$target:libc:malloc { trace(1); }' -c true
dtrace: invalid probe specifier: probe description :pidN:libc:malloc does not match any probes
  1 | pid$target:libc:malloc { trace(1); }
    | ^~~~~~~~~~~~~~~~~~~~~~
  note: did you mean pidN:libc:malloc:entry?

== arguments of the script

$ dtrace -n 'BEGIN { trace($1); }'
dtrace: invalid probe specifier: macro argument $1 is not defined
  1 | BEGIN { trace($1); }
    |               ^~

$ dtrace -n 'BEGIN { trace($1); }' hello
dtrace: invalid probe specifier: in action list: failed to resolve hello: Unknown variable name
  1 | BEGIN { trace($1); }
    |               ^~

$ dtrace -n 'BEGIN { trace($$1); }'
dtrace: invalid probe specifier: macro argument $$1 is not defined
  1 | BEGIN { trace($$1); }
    |               ^~~

$ dtrace -n 'BEGIN { trace($target); }'
dtrace: warning: $target is 0: there is no process of -c or -p

$ dtrace -n 'BEGIN { trace($foo); }'
dtrace: invalid probe specifier: macro variable $foo is not defined
  1 | BEGIN { trace($foo); }
    |               ^~~~
  note: variables of a D program have no $: write x, this->x or self->x

== names and types

$ dtrace -n 'BEGIN { trace(execnam); }'
dtrace: invalid probe specifier: in action list: failed to resolve execnam: Unknown variable name
  1 | BEGIN { trace(execnam); }
    |               ^~~~~~~
  note: did you mean execname?

$ dtrace -n 'BEGIN { trace(PID); }'
dtrace: invalid probe specifier: in action list: failed to resolve PID: Unknown variable name
  1 | BEGIN { trace(PID); }
    |               ^~~
  note: did you mean pid?

$ dtrace -n 'BEGIN { trace(timestmap); }'
dtrace: invalid probe specifier: in action list: failed to resolve timestmap: Unknown variable name
  1 | BEGIN { trace(timestmap); }
    |               ^~~~~~~~~
  note: did you mean timestamp?

$ dtrace -n 'BEGIN { trac(1); }'
dtrace: invalid probe specifier: in action list: undefined function name: trac
  1 | BEGIN { trac(1); }
    |         ^~~~
  note: did you mean trace?

$ dtrace -n 'BEGIN { copyinst(arg0); }'
dtrace: invalid probe specifier: in action list: undefined function name: copyinst
  1 | BEGIN { copyinst(arg0); }
    |         ^~~~~~~~
  note: did you mean copyinstr?

$ dtrace -n 'BEGIN { trace(copyinstr(execname)); }'
dtrace: invalid probe specifier: in action list: copyinstr( ) argument #1 is incompatible with prototype:
	prototype: uintptr_t
	 argument: string
  1 | BEGIN { trace(copyinstr(execname)); }
    |                         ^~~~~~~~

$ dtrace -n 'BEGIN { trace(strlen(5)); }'
dtrace: invalid probe specifier: in action list: strlen( ) argument #1 is incompatible with prototype:
	prototype: const char *
	 argument: int
  1 | BEGIN { trace(strlen(5)); }
    |                      ^

$ dtrace -n 'BEGIN { trace(strlen()); }'
dtrace: invalid probe specifier: in action list: strlen( ) prototype mismatch: 0 args passed, 1 expected
  1 | BEGIN { trace(strlen()); }
    |               ^~~~~~~~

$ dtrace -n 'BEGIN { x = "a"; x = 1; }'
dtrace: invalid probe specifier: in action list: operands have incompatible types: "string" = "int"
  1 | BEGIN { x = "a"; x = 1; }
    |                    ^

$ dtrace -n 'BEGIN { trace("a" . "b"); }'
dtrace: invalid probe specifier: syntax error near "b"
  1 | BEGIN { trace("a" . "b"); }
    |                     ^~~
  note: + joins strings

$ dtrace -n 'BEGIN { trace(1.5); }'
dtrace: invalid probe specifier: in action list: floating-point constants are not permitted
  1 | BEGIN { trace(1.5); }
    |               ^~~
  note: only printf() computes with them, when it prints: printf("%.2f", x / 1e6)

$ dtrace -n 'BEGIN { trace(1 / 0); }'
dtrace: invalid probe specifier: in action list: expression contains division by zero
  1 | BEGIN { trace(1 / 0); }
    |                   ^

$ dtrace -n 'BEGIN { trace(09); }'
dtrace: invalid probe specifier: octal constant 09 contains invalid digit 9
  1 | BEGIN { trace(09); }
    |                ^

$ dtrace -n 'BEGIN { char buf[10]; trace(1); }'
dtrace: invalid probe specifier: syntax error near "char"
  1 | BEGIN { char buf[10]; trace(1); }
    |         ^~~~
  note: variables are declared outside of clauses; an assignment creates one: this->x = 1

$ dtrace -n 'BEGIN { int x = 1; trace(x); }'
dtrace: invalid probe specifier: syntax error near "int"
  1 | BEGIN { int x = 1; trace(x); }
    |         ^~~
  note: variables are declared outside of clauses; an assignment creates one: this->x = 1

$ dtrace -n 'BEGIN { struct task_struct *t; t = curthread; }'
dtrace: invalid probe specifier: syntax error near "struct"
  1 | BEGIN { struct task_struct *t; t = curthread; }
    |         ^~~~~~
  note: variables are declared outside of clauses; an assignment creates one: this->x = 1

$ dtrace -n 'BEGIN { trace(curthread->nosuch); }'
dtrace: invalid probe specifier: in action list: nosuch is not a member of struct task_struct
  1 | BEGIN { trace(curthread->nosuch); }
    |                          ^~~~~~

$ dtrace -n 'BEGIN { trace(curthread.pid); }'
dtrace: invalid probe specifier: in action list: operator . must be applied to a struct or union, not "struct task_struct *"
  1 | BEGIN { trace(curthread.pid); }
    |               ^~~~~~~~~~~~~
  note: did you mean curthread->pid?

$ dtrace -n 'BEGIN { trace(args[0]); }'
dtrace: invalid probe specifier: in action list: index 0 is out of range for :::BEGIN args[ ]
  1 | BEGIN { trace(args[0]); }
    |               ^~~~~~~

$ dtrace -n 'BEGIN { trace(arg10); }'
dtrace: invalid probe specifier: in action list: failed to resolve arg10: Unknown variable name
  1 | BEGIN { trace(arg10); }
    |               ^~~~~

$ dtrace -n 'syscall::read:entry { trace(args.foo); }'
dtrace: invalid probe specifier: in action list: no argument of syscall::read:entry is called foo: fd, buf, count
  1 | syscall::read:entry { trace(args.foo); }
    |                                  ^~~

$ dtrace -n 'syscall::read:entry { trace(args[7]); }'
dtrace: invalid probe specifier: in action list: index 7 is out of range for syscall::read:entry args[ ]
  1 | syscall::read:entry { trace(args[7]); }
    |                             ^~~~~~~

$ dtrace -n 'syscall::read:entry { trace(arg0->x); }'
dtrace: invalid probe specifier: in action list: operator -> must be applied to a pointer, not "int64_t"
  1 | syscall::read:entry { trace(arg0->x); }
    |                             ^~~~~~~

$ dtrace -n 'BEGIN { self.x = 1; }'
dtrace: invalid probe specifier: syntax error near "."
  1 | BEGIN { self.x = 1; }
    |             ^
  note: did you mean self->x?

$ dtrace -n 'BEGIN { this->x = ; }'
dtrace: invalid probe specifier: syntax error near ";"
  1 | BEGIN { this->x = ; }
    |                   ^

$ dtrace -n 'BEGIN { trace(sizeof(struct nosuch)); }'
dtrace: invalid probe specifier: in action list: cannot apply sizeof to an operand of unknown size
  1 | BEGIN { trace(sizeof(struct nosuch)); }
    |               ^~~~~~~~~~~~~~~~~~~~~

$ dtrace -n 'BEGIN { printf("%s\n", stack()); }'
dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %s
	 prototype: char [] or string (or use stringof)
	  argument: stack
  1 | BEGIN { printf("%s\n", stack()); }
    |                        ^~~~~~~

$ dtrace -n 'BEGIN { x = curthread->comm; printf("%s", x->y); }'
dtrace: invalid probe specifier: in action list: operator = may not be applied to operand of type "char [16]"
  1 | BEGIN { x = curthread->comm; printf("%s", x->y); }
    |           ^
  note: did you mean stringof(curthread->comm)?

== aggregations

$ dtrace -n 'BEGIN { @a[pid] = count(); printf("%d", @a[pid]); }'
dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %d
	 prototype: any integer
	  argument: aggregation
  1 | BEGIN { @a[pid] = count(); printf("%d", @a[pid]); }
    |                                         ^~~~~~~
  note: printa() prints aggregations, with their keys

$ dtrace -n 'BEGIN { printa("%d\n", @a); @a = count(); }'
dtrace: invalid probe specifier: in action list: printa( ) prototype mismatch: conversion #1 (%d) is missing a corresponding key
  1 | BEGIN { printa("%d\n", @a); @a = count(); }
    |         ^~~~~~~~~~~~~~~~~~

$ dtrace -n 'BEGIN { @a = quantize(); }'
dtrace: invalid probe specifier: in action list: quantize( ) prototype mismatch: 0 args passed, at least 1 expected
  1 | BEGIN { @a = quantize(); }
    |              ^~~~~~~~~~

$ dtrace -n 'BEGIN { @a = lquantize(1); }'
dtrace: invalid probe specifier: in action list: lquantize( ) prototype mismatch: 1 arg passed, at least 3 expected
  1 | BEGIN { @a = lquantize(1); }
    |              ^~~~~~~~~~~~

$ dtrace -n 'BEGIN { @a = lquantize(1, 10, 0); }'
dtrace: invalid probe specifier: in action list: lquantize( ) base (argument #2) must be less than limit (argument #3): 10, 0
  1 | BEGIN { @a = lquantize(1, 10, 0); }
    |                               ^

$ dtrace -n 'BEGIN { @a = count(); @a = sum(1); }'
dtrace: invalid probe specifier: in action list: aggregation redefined: @a
	 current: @a = sum( )
	previous: @a = count( ) : line 1
  1 | BEGIN { @a = count(); @a = sum(1); }
    |                       ^~~~~~~~~~~

$ dtrace -n 'BEGIN { @a[1] = count(); @a[1, 2] = count(); }'
dtrace: invalid probe specifier: in action list: @a[ ] prototype mismatch: 2 keys passed, 1 expected
  1 | BEGIN { @a[1] = count(); @a[1, 2] = count(); }
    |                          ^~~~~~~~

== other languages

$ dtrace -n 'BEGIN { foreach (x in y) { } }'
dtrace: invalid probe specifier: syntax error near "in"
  1 | BEGIN { foreach (x in y) { } }
    |                    ^~
  note: D has for and while; printa() prints an aggregation

$ dtrace -n 'BEGIN { for (x : @a) { print(x); } }'
dtrace: invalid probe specifier: syntax error near ":"
  1 | BEGIN { for (x : @a) { print(x); } }
    |                ^
  note: there is no loop over keys: printa() prints an aggregation

$ dtrace -n 'BEGIN { while (1) { trace(1); } }'
dtrace: invalid probe specifier: in action list: trace( ) may not be used in a loop: how much a clause records is known before it runs
  1 | BEGIN { while (1) { trace(1); } }
    |                     ^~~~~~~~
  note: an aggregation or a variable can hold what a loop finds

$ dtrace -n 'BEGIN { return 1; }'
dtrace: invalid probe specifier: syntax error near "return"
  1 | BEGIN { return 1; }
    |         ^~~~~~
  note: a clause ends at its }: use a predicate or if to leave out the rest

$ dtrace -n 'BEGIN { a[1] = 2; trace(a); }'
dtrace: invalid probe specifier: in action list: associative array a may not be referenced as scalar
  1 | BEGIN { a[1] = 2; trace(a); }
    |                         ^

$ dtrace -n 'BEGIN { trace(pid && ); }'
dtrace: invalid probe specifier: syntax error near ")"
  1 | BEGIN { trace(pid && ); }
    |                      ^

$ dtrace -n 'BEGIN { trace(pid and 1); }'
dtrace: invalid probe specifier: syntax error near "and"
  1 | BEGIN { trace(pid and 1); }
    |                   ^~~
  note: D's and is &&

$ dtrace -n 'BEGIN { trace(not pid); }'
dtrace: invalid probe specifier: syntax error near "pid"
  1 | BEGIN { trace(not pid); }
    |                   ^~~
  note: D's not is !

$ dtrace -n 'BEGIN { trace(pid == "x"); }'
dtrace: invalid probe specifier: in action list: operands have incompatible types: "pid_t" == "string"
  1 | BEGIN { trace(pid == "x"); }
    |               ^~~~~~~~~~

$ dtrace -n 'BEGIN { trace(execname == bash); }'
dtrace: invalid probe specifier: in action list: failed to resolve bash: Unknown variable name
  1 | BEGIN { trace(execname == bash); }
    |                           ^~~~
  note: "bash" is a string: write execname == "bash"

$ dtrace -n "BEGIN { trace(execname == 'bash'); }"
dtrace: invalid probe specifier: in action list: operands have incompatible types: "string" == "int"
  1 | BEGIN { trace(execname == 'bash'); }
    |               ^~~~~~~~~~~~~~~~~~
  note: "bash" is a string: write execname == "bash"

== actions

$ dtrace -n 'BEGIN { exit; }'
dtrace: invalid probe specifier: in action list: function exit may not be referenced as variable
  1 | BEGIN { exit; }
    |         ^~~~
  note: did you mean exit()?

$ dtrace -n 'BEGIN { exit(); }'
dtrace: invalid probe specifier: in action list: exit( ) prototype mismatch: 0 args passed, 1 expected
  1 | BEGIN { exit(); }
    |         ^~~~~~

$ dtrace -n 'BEGIN { stack(-1); }'
dtrace: invalid probe specifier: in action list: stack( ) size must be a positive integer constant
  1 | BEGIN { stack(-1); }
    |               ^~

== the command line

$ dtrace BEGIN
dtrace: no probes specified: write -n before 'BEGIN'

$ dtrace -n
dtrace: option requires an argument -- 'n'
	[-f [[provider:] module:] func [[predicate] action]]
	[-n [[[provider:] module:] func:] name [[predicate] action]]
	[-i probe-id [[predicate] action]] [args ...] [-- cmd [arg ...]]

	predicate -> '/' D-expression '/'
	   action -> '{' D-statements '}'

$ dtrace -x buffsize=4m -n BEGIN
dtrace: failed to set -x buffsize: Invalid option name
  note: did you mean bufsize?

$ dtrace -x bufsize=4q -n BEGIN
dtrace: failed to set -x bufsize: Invalid value for specified option
  note: bufsize takes a size above 0, as in 64k or 4m

$ dtrace -x nosuch -n BEGIN
dtrace: failed to set -x nosuch: Invalid option name

$ dtrace -b 4zz -n BEGIN
dtrace: failed to set -x bufsize: Invalid value for specified option
  note: bufsize takes a size above 0, as in 64k or 4m

$ dtrace -p 99999999 -n BEGIN
dtrace: failed to grab pid 99999999: No such process

$ dtrace -p abc -n BEGIN
dtrace: invalid pid: abc
  note: processes of that name: -p $(pgrep -d, abc)

$ dtrace -c /no/such -n BEGIN
dtrace: failed to execute /no/such: No such file or directory

$ dtrace -s /no/such.d
dtrace: failed to open /no/such.d: No such file or directory

$ dtrace --nosuch -n BEGIN
dtrace: unrecognized option '--nosuch'
	[-f [[provider:] module:] func [[predicate] action]]
	[-n [[[provider:] module:] func:] name [[predicate] action]]
	[-i probe-id [[predicate] action]] [args ...] [-- cmd [arg ...]]

	predicate -> '/' D-expression '/'
	   action -> '{' D-statements '}'

$ dtrace -z -n BEGIN
dtrace: invalid option -- 'z'
	[-f [[provider:] module:] func [[predicate] action]]
	[-n [[[provider:] module:] func:] name [[predicate] action]]
	[-i probe-id [[predicate] action]] [args ...] [-- cmd [arg ...]]

	predicate -> '/' D-expression '/'
	   action -> '{' D-statements '}'

== quotes of the shell

$ dtrace -n "BEGIN { printf("hello"); }"
dtrace: invalid probe specifier: in action list: failed to resolve hello: Unknown variable name
  1 | BEGIN { printf(hello); }
    |                ^~~~~

$ dtrace -n "pid$nosuch:libc:malloc:entry { @ = count(); }"
dtrace: invalid probe specifier: probe description pid:libc:malloc:entry does not match any probes
  1 | pid:libc:malloc:entry { @ = count(); }
    | ^~~~~~~~~~~~~~~~~~~~~
  note: the process is missing: pid$target or pid123; between double quotes the shell replaces $target

$ dtrace -n BEGIN { trace\(pid\)\; }
dtrace: invalid probe specifier BEGIN: extraneous argument '}' ($3 is not referenced)
  1 | BEGIN
    |      ^
  note: the shell split the program into words: write it in single quotes, -n 'PROBE { ... }'

$ dtrace -n \'BEGIN\'
dtrace: invalid probe specifier 'BEGIN': syntax error near "'"
  1 | 'BEGIN'
    | ^
dtrace: invalid probe specifier 'BEGIN': syntax error near "'"
  1 | 'BEGIN'
    |       ^

== words of other tracers and of the shell

$ dtrace -n 'usdt:/usr/lib/postgresql/15/bin/postgres:query__start { trace(1); }'
dtrace: invalid probe specifier: syntax error near ":"
  1 | usdt:/usr/lib/postgresql/15/bin/postgres:query__start { trace(1); }
    |                                         ^
  note: did you mean postgresql*:::query-start?

$ dtrace -n syscall::read:entry /execname == '"cat"/' '{' 'trace(1);' '}'
dtrace: invalid probe specifier syscall::read:entry: extraneous argument '}' ($6 is not referenced)
  1 | syscall::read:entry
    |                    ^
  note: the shell split the program into words: write it in single quotes, -n 'PROBE { ... }'

$ dtrace -n 'BEGIN / == "bash"/ { exit(0); }'
dtrace: invalid probe specifier: syntax error near "=="
  1 | BEGIN / == "bash"/ { exit(0); }
    |         ^~
  note: a value is missing before ==: between double quotes the shell replaces $NAME; write the program in single quotes, and its variables without $

$ dtrace -p nginx -n BEGIN
dtrace: invalid pid: nginx
  note: processes of that name: -p $(pgrep -d, nginx)

$ dtrace --pod foo -n BEGIN
dtrace: failed to set -x pod: Invalid value for specified option
  note: write the namespace before the name: default/foo

$ dtrace -n 'nosuchcache*:::hit'
dtrace: invalid probe specifier nosuchcache*:::hit: probe description nosuchcache*:::hit does not match any probes
  1 | nosuchcache*:::hit
    | ^~~~~~~~~~~~~~~~~~
  note: neither the kernel nor a running process has it: -Z waits for a process that has

$ dtrace -f json
dtrace: invalid probe specifier json: probe description ::json: does not match any probes
  1 | json
    | ^~~~
  note: -f takes a function; for this format of the output write -x format=json

$ dtrace -n mach_trap:::entry
dtrace: invalid probe specifier mach_trap:::entry: probe description mach_trap:::entry does not match any probes
  1 | mach_trap:::entry
    | ^~~~~~~~~~~~~~~~~
  note: Mach traps are of macOS; syscall::: has the system calls of Linux

$ dtrace -n vfs:::read
dtrace: invalid probe specifier vfs:::read: probe description vfs:::read does not match any probes
  1 | vfs:::read
    | ^~~~~~~~~~
  note: the probes of files are fsinfo:::, and fbt::vfs_*: those of the kernel's functions

$ dtrace --flame -n BEGIN
dtrace: unrecognized option '--flame'
  note: did you mean -o cpu.html:flame?

== where it is

$ dtrace -n 'BEGIN { trace(late); } END { late = 1; }'
dtrace: invalid probe specifier: in action list: failed to resolve late: Unknown variable name
  1 | BEGIN { trace(late); } END { late = 1; }
    |               ^~~~
  note: late gets its type here: move this before the clause that uses it, or declare the variable there: int64_t late;
  1 | BEGIN { trace(late); } END { late = 1; }
    |                              ^~~~

$ dtrace -n 'BEGIN { trace(self->late); self->late = 1; }'
dtrace: invalid probe specifier: in action list: self->late has not yet been declared or assigned
  1 | BEGIN { trace(self->late); self->late = 1; }
    |               ^~~~~~~~~~
  note: self->late gets its type here: move this before the clause that uses it, or declare the variable there: self int64_t late;
  1 | BEGIN { trace(self->late); self->late = 1; }
    |                            ^~~~~~~~~~

$ dtrace -n BEGIN -n 'BEGIN { trace(nosuch); }'
dtrace: invalid probe specifier (program 2 of 2): in action list: failed to resolve nosuch: Unknown variable name
  1 | BEGIN { trace(nosuch); }
    |               ^~~~~~

$ dtrace -n 'enum e { A = 2147483648 }; BEGIN'
dtrace: invalid probe specifier: enumerator 'A' value overflows INT_MAX (2147483647)
  1 | enum e { A = 2147483648 }; BEGIN
    |          ^

$ dtrace -n 'BEGIN { printf("%*d", "x", 1); }'
dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %*d
	 prototype: int
	  argument: string
  1 | BEGIN { printf("%*d", "x", 1); }
    |                       ^~~

$ dtrace -n 'inline int again = 1; typedef int again; BEGIN'
dtrace: invalid probe specifier: identifier redeclared: again
	 current: typedef int
	previous: identifier
  1 | inline int again = 1; typedef int again; BEGIN
    |                                   ^~~~~
  note: defined here before
  1 | inline int again = 1; typedef int again; BEGIN
    | ^~~~~~~~~~~~~~~~~~~~

$ dtrace -n 'BEGIN { pcap(curthread, 1); }'
dtrace: invalid probe specifier: in action list: pcap( ) is not implemented: packets are not captured; tracemem( ) records the bytes at an address
  1 | BEGIN { pcap(curthread, 1); }
    |         ^~~~~~~~~~~~~~~~~~
