cbrt
{"losses":[{"cause":"LateSites","tag":"LATE","file":"libm.so.6","longest_ns":N,"count":1}]}
== what is there from the start
nothing was lost
