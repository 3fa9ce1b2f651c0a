
1 fired

{"losses":[{"cause":"LateSites","tag":"LATE","file":"known","longest_ns":N,"times":5,"count":null}]}
some fired
the others are counted
and reported
system() has the limit

-c has the limit

100

