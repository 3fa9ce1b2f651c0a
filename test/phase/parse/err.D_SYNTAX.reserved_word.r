[D_SYNTAX] line 3: syntax error near "for"
  3 | 	for (i = 0; i < 3; i++) trace(i);
    | 	^~~
  note: D has no loops: a clause runs once per firing, and tick-n fires repeatedly
