some 1, ended 1, same 1, numbers 1, names 1, drivers 1, theirs 1
file 1 from 0, busy 1, done 1, a program's pages 1
the file was written: 524288
the program read: 524288
the program wrote: 131072

