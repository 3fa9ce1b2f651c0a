== a count by user stacks
== mappings and build IDs
== sums, averages and histograms by other keys, with kernel frames
== rows with stacks, and what has none
== saved runs
== intervals
== escapes
== numbers out of range
== files
