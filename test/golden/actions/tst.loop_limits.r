256 256

dtrace: 2 loop ended after looplimit rounds
1000 999

dtrace: 1 loop ended after looplimit rounds
900

dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
5

-- for (i = 0; i < 3; i++) trace(i);
dtrace: invalid probe specifier BEGIN { i = 1; for (i = 0; i < 3; i++) trace(i); }: [D_SYNTAX] in action list: trace( ) may not be used in a loop: how much a clause records is known before it runs
-- while (i) { if (i) printf("x"); }
dtrace: invalid probe specifier BEGIN { i = 1; while (i) { if (i) printf("x"); } }: [D_SYNTAX] in action list: printf( ) may not be used in a loop: how much a clause records is known before it runs
-- while (1) exit(1);
dtrace: invalid probe specifier BEGIN { i = 1; while (1) exit(1); }: [D_SYNTAX] in action list: exit( ) may not be used in a loop: how much a clause records is known before it runs
-- while (i) speculate(speculation());
dtrace: invalid probe specifier BEGIN { i = 1; while (i) speculate(speculation()); }: [D_SYNTAX] in action list: speculate( ) may not be used in a loop: how much a clause records is known before it runs
-- break;
dtrace: invalid probe specifier BEGIN { i = 1; break; }: [D_SYNTAX] in action list: break is not within a loop
-- if (1) continue;
dtrace: invalid probe specifier BEGIN { i = 1; if (1) continue; }: [D_SYNTAX] in action list: continue is not within a loop
-- while (execname) i++;
dtrace: invalid probe specifier BEGIN { i = 1; while (execname) i++; }: [D_PRED_SCALAR] in action list: condition of a loop must be of scalar type, not "string"
-- for (i = 0; i < 3) i++;
dtrace: invalid probe specifier BEGIN { i = 1; for (i = 0; i < 3) i++; }: [D_SYNTAX] syntax error near ")"
-- do i++; while (i);
dtrace: invalid probe specifier BEGIN { i = 1; do i++; while (i); }: [D_SYNTAX] syntax error near "do"
-- while (1) { break; } break;
dtrace: invalid probe specifier BEGIN { i = 1; while (1) { break; } break; }: [D_SYNTAX] in action list: break is not within a loop
dtrace: invalid probe specifier BEGIN { for (i = 0; i < 3; i++) n++; }: [D_SYNTAX] in action list: option strict is set: only this dtrace has loops
