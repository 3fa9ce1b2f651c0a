DIR/lib/libdtall.so.1.2 : 1 4 
DIR/lib/libdtall.so.1 : 1 4 
DIR/link/libdtall.so.1 : 1 4 
DIR/l*/libdt* : 1 4 
libdtall : 1 4 
libdtall.so : 1 4 
libdtall.so.1 : 1 4 
libdtall.so.1.2 : 1 4 
libdta* : 1 4 
 dt_work: 1 4 
dtuser caller: 1 4 
== no process has it yet
dtuser: 2 3 
dtus*: 2 3 
== listed
PROVIDER MODULE FUNCTION NAME
pid* DIR/lib/libdtall.so.1.2 dt_work entry
== two files of one name
/lib/libdtall.so.1.2 2
/other/libdtall.so.1.2 3
both 5
