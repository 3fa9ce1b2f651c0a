$ dtrace -q -s a.d -s b.d 7
7 7
end 7

status 0
$ dtrace -q -s a.d -s c.d 7
! dtrace: failed to compile script c.d: line 2: extraneous argument '7' ($1 is not referenced)
!   2 | 
!     | ^
status 1
$ dtrace -q -xargref -s a.d -s c.d 7 8
7 7
end

status 0
$ dtrace -q -s a.d
! dtrace: failed to compile script a.d: line 1: macro argument $$1 is not defined
!   1 | BEGIN{printf("%s %d\n", $$1, $1); exit(0);}
!     |                         ^~~
status 1
$ dtrace -qn BEGIN{exit($1)} 3 13
! dtrace: invalid probe specifier: extraneous argument '13' ($2 is not referenced)
!   1 | BEGIN{exit($1)}
!     |                ^
status 1
$ dtrace -q 4 -n BEGIN{exit($1)}

status 4
$ dtrace -qxdefaultargs -n BEGIN{printf("[%d][%s]", $1, $$2); exit(0)}
[0][]
status 0
$ dtrace -qn BEGIN{printf("[%s]", $$1); exit(0)} two words/and-more\t1x
[two words/and-more	1x]
status 0
$ dtrace -qn BEGIN{printf("[%s]", $1); exit(0)} "two words"
[two words]
status 0
$ dtrace -qn BEGIN{$1 = 5; printf("[%d]", $1); exit(0)} name
[5]
status 0
$ dtrace -qn BEGIN{exit($1)} -- -3
status 253
0 0 0
1 1
$ dtrace BEGIN { exit(0); }
! dtrace: no probes specified: write -n before 'BEGIN { exit(0); }'
status 1
$ dtrace a.d
! dtrace: no probes specified: to run the script a.d, write -s a.d
status 1
$ dtrace syscall::read:entry
! dtrace: no probes specified: write -n before 'syscall::read:entry'
status 1
$ dtrace -e BEGIN { exit(0); }
! dtrace: no probes specified: write -n before 'BEGIN { exit(0); }'
status 1
$ dtrace -e a.d
! dtrace: no probes specified: to run the script a.d, write -s a.d
status 1
$ dtrace -e syscall::read:entry
! dtrace: no probes specified: write -n before 'syscall::read:entry'
status 1
$ dtrace -l BEGIN { exit(0); }
! dtrace: no probes specified: write -n before 'BEGIN { exit(0); }'
status 1
$ dtrace -l a.d
! dtrace: no probes specified: to run the script a.d, write -s a.d
status 1
$ dtrace -l syscall::read:entry
! dtrace: no probes specified: write -n before 'syscall::read:entry'
status 1
$ dtrace -Z BEGIN { exit(0); }
! dtrace: no probes specified: write -n before 'BEGIN { exit(0); }'
status 1
$ dtrace -Z a.d
! dtrace: no probes specified: to run the script a.d, write -s a.d
status 1
$ dtrace -Z syscall::read:entry
! dtrace: no probes specified: write -n before 'syscall::read:entry'
status 1
$ dtrace BEGIN {
}
! dtrace: no probes specified: write -n before 'BEGIN {...'
status 1
/some/where/dt
