>Five writes<
@size: 40 B by sum()
@parity: 2 by sum()
@wait: N UNIT by sum()
@us: N UNIT by sum()
"name":"@sizes","function":"quantize","joined":1,"quantity":"bytes","step":1
"name":"@times","function":"quantize","joined":1,"quantity":"time","step":1
rows of times
 0 B |
 1 B |
 2 B |
 4 B |
 8 B |
text has no units
@: N samples<
