== the sums of format folded
== kinds
== a stack that is cut
== texts that could do harm
== what a page states
== a program without stacks
== saved runs
