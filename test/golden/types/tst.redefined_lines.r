dtrace: failed to compile script program.d: line 2: identifier redeclared: AA
  2 | enum b { AA = 2 };
    |          ^~
  note: defined here before
  1 | enum a { AA = 1 };
    |          ^~
dtrace: failed to compile script program.d: line 2: identifier redeclared: zz
	 current: extern long
	previous: extern int
  2 | extern long zz;
    |             ^~
  note: declared here before
  1 | extern int zz;
    |            ^~
dtrace: failed to compile script program.d: line 3: identifier redeclared: zz
	 current: char
	previous: int
  3 | char zz;
    |      ^~
  note: declared here before
  1 | int zz;
    |     ^~
