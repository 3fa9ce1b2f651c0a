dtrace

status 3
uid 0
  dtrace                                                            1
status 0
0

status 0
   ID   PROVIDER            MODULE                          FUNCTION NAME
    1     dtrace                                                     BEGIN
    2     dtrace                                                     END
    3     dtrace                                                     ERROR
status 0
machine
from
to
rows: 2
CPUs

        ROWS PROBE
           1 dtrace:::BEGIN
           1 dtrace:::END
status 0
status 0
--- what was not recorded
dtrace: invalid probe specifier: 'gid' was not recorded at dtrace:::BEGIN
  1 | BEGIN { trace(gid); }
    |               ^~~
  note: record it with: dtrace --record FILE -n 'dtrace:::BEGIN { trace(gid); }'
status 1
dtrace: invalid probe specifier io:::start: probe description io:::start does not match any probes
  1 | io:::start
    | ^~~~~~~~~~
  note: the recording has no such probe; it has probes of dtrace
status 1
dtrace: invalid probe specifier: in action list: failed to resolve `jiffies: Unknown symbol name
  1 | BEGIN { trace(`jiffies); }
    |               ^~~~~~~~
status 1
--- what a replay does not do
dtrace: description 'BEGIN ' matched 1 probe
dtrace: a replay changes nothing: the program has destructive actions
status 1
dtrace: --replay works without -c and -p: the processes of a recording have ended
status 2
dtrace: --replay: options select processes by their cgroups, which recordings do not have: write a predicate
status 1
dtrace: -S shows generated code, and a replay generates none
status 2
dtrace: no probes specified
status 1
--- files
dtrace: --replay none.rec: No such file or directory
dtrace: --replay text: no recording: the file is too short
dtrace: warning: cut.rec: the recording ends at offset N, within the block at offset N
dtrace
