== script
dtrace: error in dt_clause_1 for probe ID N (dtrace:::BEGIN): divide-by-zero
  note: dt_clause_1 is at line 4 of three.d
dtrace: error in dt_clause_2 for probe ID N (dtrace:::BEGIN): invalid address (ADDRESS)
  note: dt_clause_2 is at line 9 of three.d
dtrace: error in dt_clause_5 for probe ID N (profile:::tick-50hz): divide-by-zero
  note: dt_clause_5 is at line 11 of three.d
dtrace: error in dt_clause_4 for probe ID N (profile:::tick-50hz): divide-by-zero
  note: dt_clause_4 is at line 10 of three.d
dtrace: error in dt_clause_2 for probe ID N (dtrace:::END): invalid address (ADDRESS)
end
== command line
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
  note: dt_clause_1 is at line 1, column 18 of program 1
dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
  note: dt_clause_3 is at line 1, column 1 of program 2
dtrace: error in dt_clause_2 for probe ID 2 (dtrace:::END): divide-by-zero
== one
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
== for scripts that read messages
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
