$ dtrace -x quite -n BEGIN
dtrace: failed to set -x quite: Invalid option name
  note: did you mean quiet?
$ dtrace -x nothingofthekind -n BEGIN
dtrace: failed to set -x nothingofthekind: Invalid option name
$ dtrace -b 4q -n BEGIN
dtrace: failed to set -x bufsize: Invalid value for specified option
  note: bufsize takes a size, as in 64k or 4m
$ dtrace -x evaltime=never -n BEGIN
dtrace: failed to set -x evaltime: Invalid value for specified option
  note: evaltime takes exec, preinit, postinit or main
$ dtrace -x evaltime -n BEGIN
dtrace: failed to set -x evaltime: Invalid value for specified option
  note: evaltime takes exec, preinit, postinit or main
$ dtrace -x zdefs=1 -n BEGIN
dtrace: failed to set -x zdefs: Invalid value for specified option
  note: zdefs takes no value
$ dtrace -x aggrate=often -n BEGIN
dtrace: failed to set -x aggrate: Invalid value for specified option
  note: aggrate takes a time or a rate, as in 10ms or 100hz
$ dtrace -x setenv=NAME -n BEGIN
dtrace: failed to set -x setenv: Invalid value for specified option
  note: setenv takes name=value
$ dtrace -n syscall::raed:entry
dtrace: invalid probe specifier syscall::raed:entry: probe description syscall::raed:entry does not match any probes
  1 | syscall::raed:entry
    | ^~~~~~~~~~~~~~~~~~~
  note: did you mean syscall::read:entry?
$ dtrace -n lockstat:::adaptive-block
dtrace: invalid probe specifier lockstat:::adaptive-block: probe description lockstat:::adaptive-block does not match any probes
  1 | lockstat:::adaptive-block
    | ^~~~~~~~~~~~~~~~~~~~~~~~~
  note: did you mean sdt:::contention_end?
$ dtrace -n BEGIN{trace(pdi)}
dtrace: invalid probe specifier BEGIN{trace(pdi)}: in action list: failed to resolve pdi: Unknown variable name
  1 | BEGIN{trace(pdi)}
    |             ^~~
  note: did you mean pid?
$ dtrace -s pragma.d
dtrace: failed to compile script pragma.d: line 1: failed to set option 'quite': Invalid option name
  1 | #pragma D option quite
    |                  ^~~~~
  note: did you mean quiet?
dtrace: failed to set -x quite: Invalid option name
dtrace: invalid probe specifier syscall::raed:entry: probe description syscall::raed:entry does not match any probes
