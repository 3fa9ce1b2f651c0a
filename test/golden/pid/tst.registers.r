entry: 3 deeper, called from deep`high, at deep`low
deep`low
deep`high
deep`higher
deep`main
arguments 14 3
return: 3 deeper, called from deep`high, at deep`low
deep`low
deep`high
deep`higher
deep`main
value 42 42
