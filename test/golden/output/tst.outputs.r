== errors
$ dtrace -qn BEGIN { exit(0); } -o file:jsn
! dtrace: -o file:jsn: there is no format 'jsn': the formats are text, json, folded, pprof, csv, perfetto, flame, svg, heatmap, heattext. For a file of that name write -o file:jsn:text
status 2
$ dtrace -qn BEGIN { exit(0); } -o file -o file:json
! dtrace: -o: 'file' is there twice
status 1
$ dtrace -qn BEGIN { exit(0); } -xformat=xml
! dtrace: failed to set -x format: Invalid value for specified option
!   note: format takes text, json, folded, pprof, csv, perfetto, flame, svg, heatmap or heattext
status 1
$ dtrace -ln BEGIN -o file:json
! dtrace: -l prints text only
status 1
$ dtrace -qn BEGIN { exit(0); } -o no/such:json -o other
! dtrace: failed to open output file 'no/such': No such file or directory
status 1
$ dtrace -qn BEGIN { exit(0); } -xrotatesize=1k
! dtrace: rotatesize, rotatetime: standard output cannot be rotated: name a file with -o
status 1
$ dtrace -qn BEGIN { exit(0); } -xrotatesize=1k -o file:folded
! dtrace: rotatesize, rotatetime: format folded is written as a whole at the end
status 1
$ dtrace -qn BEGIN { exit(0); } -xrotatetime=1m -o /dev/null
! dtrace: rotatesize, rotatetime: '/dev/null' is not a regular file
status 1
$ dtrace -qn BEGIN { exit(0); } -xrotatekeep=10000 -xrotatesize=1k -o file
! dtrace: rotatekeep: at most 9999 old files are kept
status 1
$ dtrace -qn BEGIN { trace(1); exit(0); } -o file -o /dev/full:json
! dtrace: failed to write to /dev/full: No space left on device
status 1
$ dtrace -B -qn BEGIN { exit(0); } -xformat=csv
! dtrace: -B prints text only
status 1
$ dtrace -qn BEGIN { freopen("other"); exit(0); } -wo file:pprof
! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): format pprof is written as a whole at the end, and cannot be sent elsewhere
status 0
== a terminal
dtrace: format pprof cannot be written to a terminal: name a file with -o
status 1
== several
$ dtrace -qn BEGIN { printf("row\n"); freopen("elsewhere"); printf("moved\n"); freopen(""); printf("back\n"); exit(0); } -wo a:text -o b:csv -o c
status 0
a: row
back
c: row
moved
back
elsewhere: moved
1
$ dtrace -qn BEGIN { printf("again\n"); exit(0); } -o 12:30:45 -o a
status 0
again

row
back

again

$ dtrace -qn BEGIN { printf("json\n"); exit(0); } -xformat=json -o d -o e:text
status 0
{"type":"begin","ver
json

$ dtrace -qn BEGIN { trace(*(int *)16); } BEGIN { exit(0); } -o f -o g:csv -o h:folded
! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x10)
status 0
$ dtrace -qn BEGIN { trace(*(int *)16); } BEGIN { exit(0); } -o i:json
status 0
== rotation
text: all rows, in order
json: all rows, in order
csv: all rows, in order
log log.1 log.2
with headers: all rows
by time: all rows
dtrace: 'log' is not rotated, and goes on: failed to rename 'log' to 'log.1': Is a directory
failed: all rows
log
log.1
== SIGHUP
text: all rows
json: all rows
{"type":"begin"
{"type":"begin"
{"type":"begin"
{"type":"begin"
without files: status 0
without a terminal: status 0 begun ended
== time
 CPU ID FUNCTION:NAME
STAMP CPU 1 :BEGIN 1

STAMP one
STAMP two, three

"time":"STAMP"
the time of the row
