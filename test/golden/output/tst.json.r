== values
== printf and tracemem
== aggregations
== normalized, cut, cleared, by CPU
== commands
== stacks and symbols
== speculations
== what went wrong
== all actions
