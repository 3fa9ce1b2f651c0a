$ dtrace -xcpu=0 -n BEGIN { clear(@a); } BEGIN { clear(@k); } tick-1d { @a = count(); @k[1] = quantize(1); } BEGIN { exit(0); }
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  0      1                           :BEGIN 
  0      1                           :BEGIN 

! dtrace: description 'BEGIN ' matched 4 probes
status 0
$ dtrace -xcpu=0 -n BEGIN { trunc(@a); trunc(@k, 1); normalize(@a, 2); denormalize(@k); exit(0); } tick-1d { @a = count(); @k[1] = quantize(1); }
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 

! dtrace: description 'BEGIN ' matched 2 probes
status 0
$ dtrace -xcpu=0 -qn BEGIN { clear(@a); clear(@k); trunc(@k, -1); normalize(@a, 7); } tick-1d { @a = count(); @k[1] = quantize(1); } END { exit(0); } tick-1ms { exit(0); }

status 0
$ dtrace -xcpu=0 -qn BEGIN { clear(@a); printa("a %@d\n", @a); printa("k %d %@d\n", @k); exit(0); } tick-1d { @a = count(); @k[1] = quantize(1); }

status 0
