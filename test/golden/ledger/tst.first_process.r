== the first process: the tracer hears of it after it has fired
of firsts LateSites late
fired 500 got 200 lost 0 and an unknown number
== a process of a file that is known
fired 500 got 500 lost 0 EXACT
