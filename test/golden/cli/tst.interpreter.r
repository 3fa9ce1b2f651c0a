./script|5|hello there|1

status 0
42 4

status 42
1
end

status 1
dtrace: failed to compile script ./script: line 3: undefined function name: nosuch
  3 | BEGIN { nosuch(); }
    |         ^~~~~~
status 1
from the shell

status 0

status 6

status 7
$ dtrace -s /dev/null
! dtrace: failed to compile script /dev/null: line 1: empty D program translation unit
!   1 | 
!     | ^
status 1
$ dtrace -s -
! dtrace: failed to open -: No such file or directory
status 1
$ dtrace -s nosuch.d
! dtrace: failed to open nosuch.d: No such file or directory
status 1
