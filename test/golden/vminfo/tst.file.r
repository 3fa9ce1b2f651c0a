maj_fault 64
maj_fault 64
pgin 64, pgpgin 64, fspgin 64, anonpgin 0
pgpgout 64, fspgout 64, anonpgout 0, requests 1

