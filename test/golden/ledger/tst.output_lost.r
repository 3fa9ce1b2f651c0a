status 1
dtrace: failed to write to full: File too large
whole rows 1, of all 1, some of each 1
== appended to a file that has something already
status 1
here before
100
== a reader that goes away
1
status 141
some lost 1
