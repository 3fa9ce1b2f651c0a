$ dtrace -Bqxcpu=0 -n BEGIN{trace(1); printf("%s\t%d\n", "two", 2); @a["key", 3] = count(); printa("%s %d %@d\n", @a); exit(0)}
dtrace_bufdata
  dtbda_buffered => "1"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => <none>
   dtbda_recdesc => trace (size 4, offset 16)
     dtbda_flags => 0x0

dtrace_bufdata
  dtbda_buffered => "two\t2\n"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => <none>
   dtbda_recdesc => printf (size 4, offset 20)
     dtbda_flags => 0x0

dtrace_bufdata
  dtbda_buffered => "key 3 1\n"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => @a
   dtbda_recdesc => printa (size 0, offset 0)
     dtbda_flags => 0xc AGGFORMAT AGGLAST

dtrace_bufdata
  dtbda_buffered => "\n"
     dtbda_probe => <none>
   dtbda_aggdata => <none>
   dtbda_recdesc => <none>
     dtbda_flags => 0x0

status 0
$ dtrace -Bxcpu=0 -n BEGIN{@["key", 3] = count(); @q = quantize(1); exit(0)}
dtrace_bufdata
  dtbda_buffered => "CPU     ID                    FUNCTION:NAME\n  0      1                           :BEGIN "
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => <none>
   dtbda_recdesc => <none>
     dtbda_flags => 0x0

dtrace_bufdata
  dtbda_buffered => "\n"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => <none>
   dtbda_recdesc => <none>
     dtbda_flags => 0x0

dtrace_bufdata
  dtbda_buffered => "\n"
     dtbda_probe => <none>
   dtbda_aggdata => <none>
   dtbda_recdesc => <none>
     dtbda_flags => 0x0

dtrace_bufdata
  dtbda_buffered => "  key                                               "
     dtbda_probe => <none>
   dtbda_aggdata => @_
   dtbda_recdesc => <none>
     dtbda_flags => 0x1 AGGKEY

dtrace_bufdata
  dtbda_buffered => "        3"
     dtbda_probe => <none>
   dtbda_aggdata => @_
   dtbda_recdesc => <none>
     dtbda_flags => 0x1 AGGKEY

dtrace_bufdata
  dtbda_buffered => "                1"
     dtbda_probe => <none>
   dtbda_aggdata => @_
   dtbda_recdesc => <none>
     dtbda_flags => 0xa AGGVAL AGGLAST

dtrace_bufdata
  dtbda_buffered => "\n"
     dtbda_probe => <none>
   dtbda_aggdata => <none>
   dtbda_recdesc => <none>
     dtbda_flags => 0x0

dtrace_bufdata
  dtbda_buffered => "\n           value  ------------- Distribution ------------- count    \n               0 |                                         0        \n               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n               2 |                                         0        \n"
     dtbda_probe => <none>
   dtbda_aggdata => @q
   dtbda_recdesc => <none>
     dtbda_flags => 0xa AGGVAL AGGLAST

dtrace_bufdata
  dtbda_buffered => "\n"
     dtbda_probe => <none>
   dtbda_aggdata => <none>
   dtbda_recdesc => <none>
     dtbda_flags => 0x0

! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -Bqxcpu=0 -n BEGIN{@a[1] = sum(2); @b[1] = sum(3); printa(@a, @b); exit(0)}
dtrace_bufdata
  dtbda_buffered => "\n"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => <none>
   dtbda_recdesc => printa (size 0, offset 0)
     dtbda_flags => 0x0

dtrace_bufdata
  dtbda_buffered => "        1"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => @a
   dtbda_recdesc => printa (size 0, offset 0)
     dtbda_flags => 0x1 AGGKEY

dtrace_bufdata
  dtbda_buffered => "                2"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => @a
   dtbda_recdesc => printa (size 0, offset 0)
     dtbda_flags => 0x2 AGGVAL

dtrace_bufdata
  dtbda_buffered => "                3"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => @b
   dtbda_recdesc => printa (size 0, offset 0)
     dtbda_flags => 0xa AGGVAL AGGLAST

dtrace_bufdata
  dtbda_buffered => "\n"
     dtbda_probe => dtrace:::BEGIN (ID 1, CPU 0)
   dtbda_aggdata => <none>
   dtbda_recdesc => printa (size 0, offset 0)
     dtbda_flags => 0x0

dtrace_bufdata
  dtbda_buffered => "\n"
     dtbda_probe => <none>
   dtbda_aggdata => <none>
   dtbda_recdesc => <none>
     dtbda_flags => 0x0

status 0
$ dtrace -B -l
! dtrace: -B works while tracing only, and not with -o
status 2
$ dtrace -B -o file -n BEGIN
! dtrace: -B works while tracing only, and not with -o
status 2
