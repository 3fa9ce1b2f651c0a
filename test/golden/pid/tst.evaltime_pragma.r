$ dtrace -c ./program -s script.d
begins main 
status 0
$ dtrace -c ./program -s script.d
main 
status 0
$ dtrace -c ./program -s script.d
! dtrace: failed to compile script script.d: line 1: failed to set option 'evaltime' to 'nonsense': Option cannot be used from within a D program
!   1 | #pragma D option evaltime=nonsense
!     |                  ^~~~~~~~~~~~~~~~~
status 1
$ dtrace -q -c ./program -n # pragma D option evaltime=main
pid$target:a.out:begins:entry { n++; } END { printf("%d", n); }
0
status 0
