starts 1..; without done 0, name 0, driver 0, of others 0, not busy 0
of dones: not the same 0, wrong numbers 0, not done 0
of the file: wrong 0, from 0; of a program's pages: wrong 0
the file was written: 524288
the program read: 524288
the program wrote: 131072

