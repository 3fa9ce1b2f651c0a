first: compiled, a 7 3 , status 0
second: read, a 7 3 , status 0
another argument: compiled, a 8 3 , status 0
that argument again: read, a 8 3 , status 0
another text: compiled, a 7 3 , status 0
another option: compiled, a 7 3 , status 0
another kernel: compiled, a 7 3 , status 0
off: compiled, a 7 3 , status 0
second, still: read, a 7 3 , status 0
another dtrace: compiled, a 7 3 , status 0
that dtrace again: read, a 7 3 , status 0
damaged: compiled, a 7 3 , status 0
compiled anew: read, a 7 3 , status 0
cut: compiled, a 7 3 , status 0
open to all: compiled, a 7 3 , status 0
closed: read, a 7 3 , status 0
in an open folder: compiled, a 7 3 , status 0
no cache of compiled programs: FOLDER/cache can be written by others than root
check: read, a 7 3 , status 0
