== folded
/bin 1 0
/lib 0 1
/usr 2 3
== flame, and both at once
3
before.json 1
3 ['/bin', '/usr']
4 ['/lib', '/usr']
== errors
dtrace: --diff has no format text: write -o FILE:flame for a browser, -o FILE:folded for lines with both numbers
status 1
dtrace: --diff has no format svg: write -o FILE:flame for a browser, -o FILE:folded for lines with both numbers
status 1
dtrace: --diff takes two files, BEFORE and AFTER, and was given 1
status 1
dtrace: --diff: before.json has @, @u, and other.json has @other: compare runs of the same program
status 1
dtrace: none.json: No such file or directory
status 1
dtrace: --diff: only one of the files can be standard input
status 1
dtrace: --diff takes files, not programs
status 1
== two builds of a program, which prints between the lines of JSON
a.out`main;a.out`rest;libc.so.6`chdir 1 1
a.out`main;a.out`work;libc.so.6`chdir 2 5
dtrace: before.json: 3 lines not from dtrace, the first is line N: left out. With -o FILE:json, what the traced program prints goes elsewhere
dtrace: after.json: 3 lines not from dtrace, the first is line N: left out. With -o FILE:json, what the traced program prints goes elsewhere
== merged first
a.out`main;a.out`rest;libc.so.6`chdir 1 1
a.out`main;a.out`work;libc.so.6`chdir 2 5
== without the names of the programs
dtrace: --diff: no stack of a program is in both runs: if its file has another name in each, record both with -c or -p
