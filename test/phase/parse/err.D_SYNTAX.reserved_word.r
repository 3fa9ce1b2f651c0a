[D_SYNTAX] line 3: syntax error near "for"
  3 | 	for (i = 0; i < 3; i++) trace(i);
    | 	^~~
