3000 4000
xxx 100
dtrace: error in dt_clause_0 out of scratch space (-x scratchsize=N gives more)
6000
xxxxxxxx
dtrace: error in dt_clause_0 invalid address
dtrace: error in dt_clause_0 invalid address
