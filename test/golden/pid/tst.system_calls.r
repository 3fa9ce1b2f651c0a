returns:0 10
returns:7 10
returns:entry 10
returns:return 10
sum 840
reads:0 20
reads:7 20
reads:e 20
reads:entry 20
reads:return 20
sum 840
calls:0 10
calls:7 10
calls:c 10
calls:entry 10
calls:return 10
sum 840
the processor executes the instruction behind a system call before it stops, at a wrong address
