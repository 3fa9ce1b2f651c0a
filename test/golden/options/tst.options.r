== the later wins
$ dtrace -xstrsize=6 -s size.d
[abcdefghi]

status 0
$ dtrace -q -xcpu=0 -s loud.d
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN           1

! dtrace: script 'loud.d' matched 1 probe
status 0
$ dtrace -xstrsize=6 -xstrsize=8 -qn BEGIN{printf("[%s]", "abcdefghijklmnop"); exit(0);}
[abcdefg]
status 0
== bad ones
$ dtrace -x nosuch -n BEGIN
! dtrace: failed to set -x nosuch: Invalid option name
status 1
$ dtrace -x nosuch=1 -n BEGIN
! dtrace: failed to set -x nosuch: Invalid option name
status 1
$ dtrace -x strsize=zz -n BEGIN
! dtrace: failed to set -x strsize: Invalid value for specified option
!   note: strsize takes a size, as in 64k or 4m
status 1
$ dtrace -x strsize -n BEGIN
! dtrace: failed to set -x strsize: Invalid value for specified option
!   note: strsize takes a size, as in 64k or 4m
status 1
$ dtrace -x quiet=maybe -n BEGIN
! dtrace: failed to set -x quiet: Invalid value for specified option
!   note: quiet takes yes or no
status 1
$ dtrace -x zdefs=1 -n BEGIN
! dtrace: failed to set -x zdefs: Invalid value for specified option
!   note: zdefs takes no value, or yes or no
status 1
$ dtrace -x bufpolicy=bad -n BEGIN
! dtrace: failed to set -x bufpolicy: Invalid value for specified option
!   note: bufpolicy takes switch, fill or ring
status 1
$ dtrace -b zz -n BEGIN
! dtrace: failed to set -x bufsize: Invalid value for specified option
!   note: bufsize takes a size above 0, as in 64k or 4m
status 1
== pragmas
$ dtrace -xerrtags -s pragma.d
! dtrace: failed to compile script pragma.d: [D_PRAGMA_OPTSET] line 1: failed to set option 'nosuch': Invalid option name
status 1
$ dtrace -xerrtags -s pragma.d
! dtrace: failed to compile script pragma.d: [D_PRAGMA_OPTSET] line 1: failed to set option 'cpppath' to 'x': Option cannot be used from within a D program
status 1
$ dtrace -xerrtags -s pragma.d
! dtrace: failed to compile script pragma.d: [D_PRAGMA_OPTSET] line 1: failed to set option 'quiet' to 'maybe': Invalid value for specified option
status 1
$ dtrace -xerrtags -s pragma.d
! dtrace: failed to compile script pragma.d: [D_PRAGMA_MALFORM] line 1: malformed #pragma D option
! 	usage: #pragma D option name[=value]
status 1
$ dtrace -xerrtags -s pragma.d
! dtrace: failed to compile script pragma.d: [D_PRAGMA_MALFORM] line 1: superfluous arguments to #pragma D option
! 	usage: #pragma D option name[=value]
status 1
$ dtrace -xerrtags -s pragma.d
! dtrace: failed to compile script pragma.d: [D_PRAGMA_INVAL] line 1: invalid directive: #pragma D nosuch
status 1
== environment
$ dtrace -n BEGIN{printf("quiet");exit(0)}
quiet
status 0
$ dtrace -n BEGIN
! dtrace: failed to set DTRACE_OPT_NOSUCH: Invalid option name
status 1
$ dtrace -n BEGIN
! dtrace: failed to set DTRACE_OPT_STRSIZE: Invalid value for specified option
!   note: strsize takes a size, as in 64k or 4m
status 1
$ dtrace -qn BEGIN{trace("abcdef");exit(0)}
abc
status 0
$ dtrace -xstrsize=6 -qn BEGIN{trace("abcdef");exit(0)}
abcde
status 0
== words
status 0
status 0
status 0
status 0
status 0
status 0
status 0
$ dtrace -xcpu=0 -q -xquiet=off -n BEGIN{exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 

! dtrace: description 'BEGIN' matched 1 probe
status 0
== setopt
$ dtrace -xcpu=0 -n BEGIN{setopt("quiet"); printf("x\n"); exit(0)} END{trace(1)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN x
1
! dtrace: description 'BEGIN' matched 2 probes
status 0
$ dtrace -xcpu=0 -qn BEGIN{setopt("quiet", "no"); printf("x")} BEGIN{trace(1);exit(0)}
x
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN           1

status 0
$ dtrace -qn BEGIN{setopt("strsize", "10"); trace(1); exit(0)}
1
! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): couldn't set option "strsize" to "10": Operation illegal when tracing is active
status 0
$ dtrace -qn BEGIN{setopt("nosuch"); trace(1); exit(0)}
1
! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): couldn't set option "nosuch": Invalid option name
status 0
$ dtrace -qn BEGIN{setopt("quiet", "maybe"); trace(1); exit(0)}
1
! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): couldn't set option "quiet" to "maybe": Invalid value for specified option
status 0
== cpu
$ dtrace -xcpu=99999 -n BEGIN{exit(0)}
! dtrace: description 'BEGIN' matched 1 probe
! dtrace: could not enable tracing: CPU 99999 is not online
status 1
$ dtrace -xcpu=0 -qn BEGIN,END{trace(cpu);} BEGIN{exit(0)}
00
status 0
== tags
$ dtrace -xerrtags -n BEGIN{trace($2)}
! dtrace: invalid probe specifier BEGIN{trace($2)}: [D_MACRO_UNDEF] macro argument $2 is not defined
status 1
$ dtrace -xerrtags -n BEGIN 7
! dtrace: invalid probe specifier BEGIN: [D_MACRO_UNUSED] extraneous argument '7' ($1 is not referenced)
status 1
$ dtrace -xerrtags -n nosuch
! dtrace: invalid probe specifier nosuch: [D_PDESC_ZERO] probe description :::nosuch does not match any probes
status 1
$ dtrace -xerrtags -n BEGIN{trace(}
! dtrace: invalid probe specifier BEGIN{trace(}: [D_SYNTAX] syntax error near "}"
status 1
$ dtrace -xerrtags -n BEGIN{trace(nosuch)}
! dtrace: invalid probe specifier BEGIN{trace(nosuch)}: [D_IDENT_UNDEF] in action list: failed to resolve nosuch: Unknown variable name
status 1
$ dtrace -xerrtags -n BEGIN{exit(1, 2)}
! dtrace: invalid probe specifier BEGIN{exit(1, 2)}: [D_PROTO_LEN] in action list: exit( ) prototype mismatch: 2 args passed, 1 expected
status 1
$ dtrace -xamin=Firm -n BEGIN{exit(0)}
! dtrace: failed to set -x amin: Invalid value for specified option
!   note: amin takes a value
status 1
$ dtrace -xerrtags -xamin=Stable/Stable/Common -n dtrace:::BEGIN{trace(curthread);exit(0)}
! dtrace: invalid probe specifier dtrace:::BEGIN{trace(curthread);exit(0)}: [D_ATTR_MIN] in action list: attributes for curthread (Stable/Private/Common) are less than predefined minimum
status 1
