echo   1
true   2
child of the shell: 2
/bin/echo hello: 1
/bin/true: 2

