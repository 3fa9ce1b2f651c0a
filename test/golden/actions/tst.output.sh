#!/bin/bash
# ASSERTION: freopen() moves following output, system() keeps its position in it, ftruncate() empties the target.
# SECTION: Actions
. "$(dirname "$0")/../../runner/show.sh"
run -wqn 'BEGIN{printf("a\n"); freopen("moved%d", 2); printf("b\n"); system("echo shell"); printf("c\n"); freopen(""); printf("d\n"); exit(0)}'
cat moved2
run -wqn 'BEGIN{freopen("moved2"); printf("e\n"); freopen("other"); printf("f\n"); exit(0)}'
cat moved2 other
run -wqn 'BEGIN{freopen("/nonexistent/x"); printf("still here\n"); exit(0)}'
run -wq -o file -n 'BEGIN{printf("a\n"); ftruncate(); printf("b\n"); exit(0)}'
cat file
run -wqn 'BEGIN{printf("1\n"); system("echo 2"); printf("3\n"); system("echo 4 %s %d", "x", 5); exit(0)}'
run -wqn 'BEGIN{system("exit 3"); exit(0)}'
