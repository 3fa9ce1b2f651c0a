define(`loop', `ifelse($1, 0, `', `loop(decr($1))eval($1 * $1) ')')dnl
loop(20)
regexp(`GNUs not Unix', `\w\(\w+\)$', `*** \& *** \1 ***')
syscmd(`echo from a child')dnl
format(`%5.2f', 2.5) len(`abc') translit(`abc', `a-c', `A-C')
