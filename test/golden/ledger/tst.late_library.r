cbrt
{"losses":[{"cause":"LateSites","tag":"LATE","file":"libm.so.6","count":1,"longest_ns":N}]}
== what is there from the start
nothing was lost
