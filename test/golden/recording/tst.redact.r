== none
mode 600
has secret_one
has secret_two
has hidden_folder
has inmost
has the folder
has libc.so.6
has the host
 1 ./hidden_folder/secret_three
 2 FOLDER/hidden_folder/inmost/secret_one
cat FOLDER/hidden_folder/inmost/secret_one
cat

3
== paths
mode 600
redacted: paths
 2 /#/...
cat /#/...
cat

3
== args
mode 600
has secret_one
has secret_two
has hidden_folder
has inmost
has the folder
has libc.so.6
redacted: args
 1 ./hidden_folder/secret_three
 2 FOLDER/hidden_folder/inmost/secret_one
#
cat

3
== strings
mode 600
has libc.so.6
redacted: strings
 2 #
#
#

== paths,args,strings
mode 600
redacted: paths,args,strings
 2 /#/...
#
#

3
== where it does not fit
$ dtrace -qn BEGIN { exit(0); } -x redact=names
! dtrace: failed to set -x redact: Invalid value for specified option
!   note: redact takes paths, args, strings, or several of them, as in paths,args
status 1
$ dtrace -qn BEGIN { exit(0); } -x redact=
! dtrace: failed to set -x redact: Invalid value for specified option
!   note: redact takes paths, args, strings, or several of them, as in paths,args
status 1
$ dtrace -qn BEGIN { exit(0); } -x redact=paths
! dtrace: option redact works with --record only: it changes a recording, and no other output
status 1
$ dtrace --replay file -x redact=paths -qn BEGIN { exit(0); }
! dtrace: option redact works with --record only: it changes a recording, and no other output
status 1
$ dtrace --record other -x redact=paths -x redact=strings -qn BEGIN { exit(0); }
status 0
redacted: paths,strings
$ dtrace --record other -x redact=args -qn BEGIN { print(*curthread->cred); exit(0); }
! dtrace: warning: '*curthread->cred' is not recorded: option redact cannot find the texts within a value of type const struct cred
status 0
$ dtrace --replay other -qn BEGIN { print(*curthread->cred); exit(0); }
! dtrace: invalid probe specifier: '*curthread->cred' was not recorded at dtrace:::BEGIN
!   1 | BEGIN { print(*curthread->cred); exit(0); }
!     |               ^~~~~~~~~~~~~~~~
!   note: record it with: dtrace --record FILE -n 'dtrace:::BEGIN { trace(*curthread->cred); }'
status 1
