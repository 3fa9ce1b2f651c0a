status 0
1 record: overwritten by one that was given up
status 0
