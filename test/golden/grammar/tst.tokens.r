2 3
2 3
predicate
tight
8 a // string /* is */ one $1 $pid # not

