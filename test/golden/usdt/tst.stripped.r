== -O0
few -3 50000 3 1099511627776 of a variable
many -3 50000 3 1099511627776 of a variable 2.5 2
few -4 50001 4 1099511627777 of a variable
many -4 50001 4 1099511627777 of a variable 5 1
== -O2
few -3 50000 3 1099511627776 of a variable
many -3 50000 3 1099511627776 of a variable 2.5 2
few -4 50001 4 1099511627777 of a variable
many -4 50001 4 1099511627777 of a variable 5 1
== -O2 -static
few -3 50000 3 1099511627776 of a variable
many -3 50000 3 1099511627776 of a variable 2.5 2
few -4 50001 4 1099511627777 of a variable
many -4 50001 4 1099511627777 of a variable 5 1
== -O1 -fPIE -pie -fno-omit-frame-pointer
few -3 50000 3 1099511627776 of a variable
many -3 50000 3 1099511627776 of a variable 2.5 2
few -4 50001 4 1099511627777 of a variable
many -4 50001 4 1099511627777 of a variable 5 1
