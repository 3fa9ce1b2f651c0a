before 301 keys, 301 of them twice
behind 301 keys, 301 of them twice
two 301 keys, 301 of them twice
0 of a wrong length, 1 empty
