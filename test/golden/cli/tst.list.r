$ dtrace -l -n BEGIN -n END
   ID   PROVIDER            MODULE                          FUNCTION NAME
    1     dtrace                                                     BEGIN
    2     dtrace                                                     END
status 0
$ dtrace -l -n nosuch
   ID   PROVIDER            MODULE                          FUNCTION NAME
! dtrace: failed to match :::nosuch: No probe matches description
status 0
$ dtrace -l -n BEGIN{trace(1)} BEGIN{trace(2)} END -n BEGIN -n no:such:probe:here
   ID   PROVIDER            MODULE                          FUNCTION NAME
    1     dtrace                                                     BEGIN
    2     dtrace                                                     END
    1     dtrace                                                     BEGIN
! dtrace: failed to match no:such:probe:here: No probe matches description
status 0
$ dtrace -l -n END,BEGIN
   ID   PROVIDER            MODULE                          FUNCTION NAME
    2     dtrace                                                     END
    1     dtrace                                                     BEGIN
status 0
$ dtrace -l -n BEGIN{trace(nosuchname)}
! dtrace: invalid probe specifier: in action list: failed to resolve nosuchname: Unknown variable name
!   1 | BEGIN{trace(nosuchname)}
!     |             ^~~~~~~~~~
status 1
$ dtrace -l -o list -n BEGIN
status 0
$ dtrace -l -o list -n END
status 0
   ID   PROVIDER            MODULE                          FUNCTION NAME
    1     dtrace                                                     BEGIN
   ID   PROVIDER            MODULE                          FUNCTION NAME
    2     dtrace                                                     END
$ dtrace -lv -n dtrace:::BEGIN
   ID   PROVIDER            MODULE                          FUNCTION NAME
    1     dtrace                                                     BEGIN

	Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Types
		None

status 0
$ dtrace -lv -n syscall::write:entry
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             write entry

	Probe Description Attributes
		Identifier Names: Private
		Data Semantics:   Private
		Dependency Class: Unknown

	Argument Attributes
		Identifier Names: Private
		Data Semantics:   Private
		Dependency Class: ISA

	Argument Types
		args[0]: unsigned int
		args[1]: userland const char *
		args[2]: size_t

status 0
   ID   PROVIDER            MODULE                          FUNCTION NAME
    1     dtrace                                                     BEGIN
    2     dtrace                                                     END
    3     dtrace                                                     ERROR
cpc dtrace fsinfo io ip iter lockstat mib proc profile rawtp sched sdt syscall sysinfo tcp udp vminfo 
dtrace: failed to write to <stdout>: No space left on device
status 1
