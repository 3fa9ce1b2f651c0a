2 copies: exit status 0 - calls 1002 - neither whole nor cut 0
120 copies: exit status 0 - calls 1120 - neither whole nor cut 0
memory is bounded
