1
[one][two][three]1 1
1 1 [abc] 1
a :b ;c a:b;c
1

