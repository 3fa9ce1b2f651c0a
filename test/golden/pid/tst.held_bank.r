while it waits
many snapshots
at the end
1 
1000 here
1001 all

