[D_SYNTAX] line 3: syntax error near "switch"
  3 | 	switch (pid) { default: trace(i); }
    | 	^~~~~~
  note: D has if and else, and ?: in expressions
