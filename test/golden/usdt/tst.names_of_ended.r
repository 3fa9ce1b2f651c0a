library.so`fire
library.so`fire 1
program`fire
program`fire 1
