== ./node
dtrace: N samples in code without names: node --perf-basic-prof names it
== ./node mapped
named
== ./someone
all samples are counted
