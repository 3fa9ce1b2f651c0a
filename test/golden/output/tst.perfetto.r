== slices
== instants
== counters
== files
