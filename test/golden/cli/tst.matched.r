$ dtrace -xcpu=0 -n BEGIN{exit(0)} END{trace(1)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  0      2                             :END           1

! dtrace: description 'BEGIN' matched 2 probes
status 0
$ dtrace -xcpu=0 -n dtrace:::BEGIN /1/ {exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 

! dtrace: description 'dtrace:::BEGIN ' matched 1 probe
status 0
$ dtrace -xcpu=0 -n BEGIN,END,BEGIN{exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  0      2                             :END 

! dtrace: description 'BEGIN,END,BEGIN' matched 3 probes
status 0
$ dtrace -xcpu=0 -Zn nosuch -s two.d -P dtrace
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  0      2                             :END 
  0      2                             :END 

! dtrace: description 'nosuch' matched 0 probes
! dtrace: script 'two.d' matched 2 probes
! dtrace: description 'dtrace' matched 3 probes
status 0
$ dtrace -s quiet.d

status 0
$ dtrace -q -s two.d

status 0
$ dtrace -xquiet -s two.d

status 0
