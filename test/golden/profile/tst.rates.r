profile profile-97 
profile profile-199 
profile profile-499 
profile profile-997 
profile profile-1999 
profile profile-4001 
profile profile-4999 
profile tick-1 
profile tick-10 
profile tick-100 
profile tick-500 
profile tick-1000 
profile tick-5000 
== 1
profile-1
tick-1
== 97
profile-97
tick-97
== 5000
profile-5000
tick-5000
== 5001
profile-5001: dtrace: invalid probe specifier: probe description :::profile-5001 does not match any probes
  1 | profile-5001{}
    | ^~~~~~~~~~~~
  note: did you mean profile-4001?
tick-5001: dtrace: invalid probe specifier: probe description :::tick-5001 does not match any probes
  1 | tick-5001{}
    | ^~~~~~~~~
== 10001
profile-10001: dtrace: invalid probe specifier: probe description :::profile-10001 does not match any probes
  1 | profile-10001{}
    | ^~~~~~~~~~~~~
  note: did you mean profile-4001?
tick-10001: dtrace: invalid probe specifier: probe description :::tick-10001 does not match any probes
  1 | tick-10001{}
    | ^~~~~~~~~~
  note: did you mean tick-1000?
== 100hz
profile-100hz
tick-100hz
== 5001hz
profile-5001hz: dtrace: invalid probe specifier: probe description :::profile-5001hz does not match any probes
  1 | profile-5001hz{}
    | ^~~~~~~~~~~~~~
  note: did you mean profile-4001?
tick-5001hz: dtrace: invalid probe specifier: probe description :::tick-5001hz does not match any probes
  1 | tick-5001hz{}
    | ^~~~~~~~~~~
== 200us
profile-200us
tick-200us
== 199us
profile-199us: dtrace: invalid probe specifier: probe description :::profile-199us does not match any probes
  1 | profile-199us{}
    | ^~~~~~~~~~~~~
tick-199us: dtrace: invalid probe specifier: probe description :::tick-199us does not match any probes
  1 | tick-199us{}
    | ^~~~~~~~~~
== 200000ns
profile-200000ns
tick-200000ns
== 199999ns
profile-199999ns: dtrace: invalid probe specifier: probe description :::profile-199999ns does not match any probes
  1 | profile-199999ns{}
    | ^~~~~~~~~~~~~~~~
  note: did you mean profile-1999?
tick-199999ns: dtrace: invalid probe specifier: probe description :::tick-199999ns does not match any probes
  1 | tick-199999ns{}
    | ^~~~~~~~~~~~~
== 200000nsec
profile-200000nsec
tick-200000nsec
== 250usec
profile-250usec
tick-250usec
== 1ms
profile-1ms
tick-1ms
== 1msec
profile-1msec
tick-1msec
== 1s
profile-1s
tick-1s
== 1sec
profile-1sec
tick-1sec
== 1m
profile-1m
tick-1m
== 1min
profile-1min
tick-1min
== 1h
profile-1h
tick-1h
== 1hour
profile-1hour
tick-1hour
== 1d
profile-1d
tick-1d
== 1day
profile-1day
tick-1day
== 0
profile-0: dtrace: invalid probe specifier: probe description :::profile-0 does not match any probes
  1 | profile-0{}
    | ^~~~~~~~~
  note: did you mean profile-97?
tick-0: dtrace: invalid probe specifier: probe description :::tick-0 does not match any probes
  1 | tick-0{}
    | ^~~~~~
== 0hz
profile-0hz: dtrace: invalid probe specifier: probe description :::profile-0hz does not match any probes
  1 | profile-0hz{}
    | ^~~~~~~~~~~
tick-0hz: dtrace: invalid probe specifier: probe description :::tick-0hz does not match any probes
  1 | tick-0hz{}
    | ^~~~~~~~
== 0s
profile-0s: dtrace: invalid probe specifier: probe description :::profile-0s does not match any probes
  1 | profile-0s{}
    | ^~~~~~~~~~
  note: did you mean profile-97?
tick-0s: dtrace: invalid probe specifier: probe description :::tick-0s does not match any probes
  1 | tick-0s{}
    | ^~~~~~~
== -1
profile--1: dtrace: invalid probe specifier: probe description :::profile--1 does not match any probes
  1 | profile--1{}
    | ^~~~~~~~~~
  note: did you mean profile-97?
tick--1: dtrace: invalid probe specifier: probe description :::tick--1 does not match any probes
  1 | tick--1{}
    | ^~~~~~~
  note: did you mean tick-1?
== 1x
profile-1x: dtrace: invalid probe specifier: probe description :::profile-1x does not match any probes
  1 | profile-1x{}
    | ^~~~~~~~~~
  note: write a whole number after tick- or profile-, with ns, us, ms, s, m, h, d or hz: tick-5s, profile-997
tick-1x: dtrace: invalid probe specifier: probe description :::tick-1x does not match any probes
  1 | tick-1x{}
    | ^~~~~~~
  note: write a whole number after tick- or profile-, with ns, us, ms, s, m, h, d or hz: tick-5s, profile-997
== 1.5s
profile-1.5s: dtrace: invalid probe specifier: probe description :::profile-1.5s does not match any probes
  1 | profile-1.5s{}
    | ^~~~~~~~~~~~
  note: write a whole number after tick- or profile-, with ns, us, ms, s, m, h, d or hz: tick-5s, profile-997
tick-1.5s: dtrace: invalid probe specifier: probe description :::tick-1.5s does not match any probes
  1 | tick-1.5s{}
    | ^~~~~~~~~
  note: write a whole number after tick- or profile-, with ns, us, ms, s, m, h, d or hz: tick-5s, profile-997
== s
profile-s: dtrace: invalid probe specifier: probe description :::profile-s does not match any probes
  1 | profile-s{}
    | ^~~~~~~~~
  note: did you mean profile-97?
tick-s: dtrace: invalid probe specifier: probe description :::tick-s does not match any probes
  1 | tick-s{}
    | ^~~~~~
  note: did you mean tick-1?
== 01
profile-01
tick-01
== 0x10
profile-0x10: dtrace: invalid probe specifier: probe description :::profile-0x10 does not match any probes
  1 | profile-0x10{}
    | ^~~~~~~~~~~~
  note: did you mean profile-4001?
tick-0x10: dtrace: invalid probe specifier: probe description :::tick-0x10 does not match any probes
  1 | tick-0x10{}
    | ^~~~~~~~~
  note: did you mean tick-10?
== 99999999999999999999
profile-99999999999999999999: dtrace: invalid probe specifier: probe description :::profile-99999999999999999999 does not match any probes
  1 | profile-99999999999999999999{}
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
tick-99999999999999999999: dtrace: invalid probe specifier: probe description :::tick-99999999999999999999 does not match any probes
  1 | tick-99999999999999999999{}
    | ^~~~~~~~~~~~~~~~~~~~~~~~~
== 1S
profile-1S
tick-1S
== 1MS
profile-1MS
tick-1MS
== 10Hz
profile-10Hz
tick-10Hz
