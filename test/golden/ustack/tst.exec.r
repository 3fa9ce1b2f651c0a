as it is:
  first: first`in_first first 2
  first: stack of in_first main _start and libc.so.6 2
  second: second`in_second second 2
  second: stack of in_second main _start and libc.so.6 2
  first: first`in_first first 1
  first: stack of in_first main _start and libc.so.6 1
  perl: perl 1
  perl: stack of its own and libc.so.6 1
  second: second`in_second second 1
  second: stack of in_second main _start and libc.so.6 1
setarch -R:
  first: first`in_first first 2
  first: stack of in_first main _start and libc.so.6 2
  second: second`in_second second 2
  second: stack of in_second main _start and libc.so.6 2
  first: first`in_first first 1
  first: stack of in_first main _start and libc.so.6 1
  perl: perl 1
  perl: stack of its own and libc.so.6 1
  second: second`in_second second 1
  second: stack of in_second main _start and libc.so.6 1
