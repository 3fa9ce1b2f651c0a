[D_SYNTAX] line 3: syntax error near ")"
  3 | 	x = (1 + );
    | 	         ^
