   42|42   |00042|+42
beef|BEEF|0xbeef|10|0000beef
      text|text      |tex|x
-1|7|3|9
     1|2     |%
a b
0x1000
tab	here

