[D_EMPTY] line 2: empty D program translation unit
  2 | 
    | ^
