== rows
== branches
== aggregations
== printa, CPUs, time
== formulas
