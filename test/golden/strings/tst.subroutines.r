lo he hello ll hel el []
3 6 -1
c /a/b b
/ . /
cd bc
foobar 4
MIXED mixed
stack a
b
-12 0xff 010
-42 255
/a/b/d

