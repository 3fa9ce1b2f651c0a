/no/such/file 0 -1

bad 0

dtrace: invalid probe specifier: in action list: no argument of syscall::openat:entry is called filenam: dfd, filename, flags, mode
  1 | syscall::openat:entry { trace(args.filenam); }
    |                                    ^~~~~~~
  note: did you mean filename?
same name
dtrace: invalid probe specifier: in action list: no argument of syscall::close:entry is called fildes: fd
  1 | syscall::dup:entry,syscall::close:entry { trace(args.fildes); }
    |                                                      ^~~~~~
dtrace: invalid probe specifier: in action list: no names are known for the arguments of :::BEGIN
  1 | BEGIN { trace(args.x); }
    |                    ^
dtrace: invalid probe specifier: in action list: array args may not be referenced as scalar
  1 | syscall::openat:entry { trace(args.filename); }
    |                               ^~~~
  note: option strict is set: arguments have numbers only, args[0], args[1]
dtrace: invalid probe specifier: in action list: operands have incompatible types: "string" + "string"
  1 | BEGIN { trace(execname + "x"); }
    |               ^~~~~~~~~~~~~~
  note: did you mean strjoin(execname, "x")?
dtrace: invalid probe specifier: in action list: operands have incompatible types: "string" += "string"
  1 | BEGIN { x = "a"; x += "b"; }
    |                    ^~
