own pid own name
0
by an inline

