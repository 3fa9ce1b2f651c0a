== without the option
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:visit:entry: DIR/prog has no debug information (compile with -g, or install its debug package)
asked 0 times
== no server
dtrace: option debuginfod names no server: write debuginfod=URL, or set DEBUGINFOD_URLS
dtrace: option debuginfod names no server: write debuginfod=URL, or set DEBUGINFOD_URLS
== from a program
dtrace: invalid probe specifier (program 1 of 2): failed to set option 'debuginfod': Option cannot be used from within a D program
== nothing
dtrace: warning: debuginfod: DIR/prog: no server sent its debug information: No such file or directory
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:visit:entry: DIR/prog has no debug information (compile with -g, or install its debug package)
== garbage
dtrace: warning: debuginfod: DIR/prog: a server sent a file that does not have this build ID
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:visit:entry: DIR/prog has no debug information (compile with -g, or install its debug package)
== other
dtrace: warning: debuginfod: DIR/prog: a server sent a file that does not have this build ID
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:visit:entry: DIR/prog has no debug information (compile with -g, or install its debug package)
== large
dtrace: warning: debuginfod: DIR/prog: the servers' file is larger than 512 MiB
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:visit:entry: DIR/prog has no debug information (compile with -g, or install its debug package)
== slow
dtrace: warning: debuginfod: DIR/prog: no server sent its debug information: Timer expired
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:visit:entry: DIR/prog has no debug information (compile with -g, or install its debug package)
== refused
dtrace: warning: debuginfod: DIR/prog: no server sent its debug information: Connection refused
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:visit:entry: DIR/prog has no debug information (compile with -g, or install its debug package)
== good
41 5
asked 1 times
41 5
asked 1 times
== debuginfod itself
41 5
