-- BEGIN { trace(*(int *)0); exit(0); } tick-10ms { exit(0); }
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
  note: tracing goes on: the clause ended before its exit()

-- BEGIN { trace(*(int *)0); } tick-10ms { exit(0); }
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)

-- BEGIN { trace(*(int *)0); exit(0); } ERROR { exit(0); }
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)

-- BEGIN { trace(*(int *)0); exit(0); } BEGIN { exit(0); }
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)

-- BEGIN { exit(0); trace(*(int *)0); }
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)

