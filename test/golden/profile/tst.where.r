status 0
every CPU
1
both 0 early 0 late 0
