== values, the largest first
== rates by the second
== what the program and its command print, below
== another order
== paused
== rows with a text in a key
== what was lost
== one of the aggregations, and help
== the window
== q
== Ctrl-C, signals, exit() and a crash
== stopped and continued
== colours
== clear(), and no terminal
1: dtrace: --live needs a terminal with a cursor that moves, and TERM is 'dumb'
1: dtrace: --live needs to know the terminal, and TERM is not set: set it, as in TERM=xterm
2: dtrace: --live works while tracing only, and not with -B
1: dtrace: --live shows a screen, and standard output is not a terminal: leave --live out, or run it in a terminal
