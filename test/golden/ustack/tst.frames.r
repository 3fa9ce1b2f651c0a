aligned: mark aligned main _start
alloca: mark sized main _start
signal: mark handler libc`restore libc`raise interrupted main _start
own stack: mark handler libc`restore libc`raise interrupted main _start
coroutine: mark coroutine
deep: mark deeper deeper deeper deeper deeper deeper main _start
called back: mark compare libc`qsort main _start
== a child, by a system call
libc.so.6`clock_nanosleep libc.so.6`__nanosleep libc.so.6`usleep child main _start
== what ends a stack

              frames`mark
              frames`deeper+ADDRESS
              frames`deeper+ADDRESS
11 frames, called by frames`deeper+ADDRESS

              frames`mark
              ADDRESS
              [cut: no unwind rule]


              frames`mark
              ADDRESS
              [cut: no unwind rule]
                1
{"cut":"no unwind rule"}
