[D_SYNTAX] line 3: syntax error near end of input
  3 | 
    | ^
