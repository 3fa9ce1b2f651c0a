#!/bin/bash
# ASSERTION: a loop that goes on ends after looplimit rounds, which is counted; what records may not stand in a loop, nor may
#   break outside of one; the verifier follows a loop of a thousand rounds; a fault ends a loop; option strict has none.
# SECTION: Stability, faults, drops, speculation, clause semantics/Clause evaluation
exec 2>&1
"$dtrace" -qn 'BEGIN { for (;;) n++; while (1) m++; printf("%d %d\n", n, m); exit(0); }'
"$dtrace" -xlooplimit=1000 -qn 'BEGIN { while (1) n++; for (i = 0; i < 999; i++) k++; printf("%d %d\n", n, k); exit(0); }'
"$dtrace" -xlooplimit=30 -qn 'BEGIN { for (i = 0; i < 30; i++) for (j = 0; j < 30; j++) n++; printf("%d\n", n); exit(0); }'
"$dtrace" -qn 'BEGIN { for (i = 0; i < 9; i++) { n++; x = *(int *)(i == 4 ? 0 : (uintptr_t)curthread); } } BEGIN { printf("%d\n", n); exit(0); }'
for statement in 'for (i = 0; i < 3; i++) trace(i);' 'while (i) { if (i) printf("x"); }' 'while (1) exit(1);' \
	'while (i) speculate(speculation());' 'break;' 'if (1) continue;' 'while (execname) i++;' 'for (i = 0; i < 3) i++;' \
	'do i++; while (i);' 'while (1) { break; } break;'; do
	echo "-- $statement"
	"$dtrace" -xerrtags -qn "BEGIN { i = 1; $statement }"
done
"$dtrace" -xerrtags -xstrict -qn 'BEGIN { for (i = 0; i < 3; i++) n++; }'
exit 0
