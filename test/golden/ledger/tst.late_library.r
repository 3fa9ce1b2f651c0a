cbrt
{"losses":[{"cause":"LateSites","tag":"LATE","file":"libm.so.6","longest_ns":N,"times":1,"count":null}]}
== what is there from the start
nothing was lost
