caller 1 depth 1 ipl 0 in interrupts 1

of the function 1 others 0
depth 1
at the return, of the function 1
