              dtuser`caller
              libdtall.so.1.2`dt_work
caller dtuser`caller
entry 7 text DIR/lib/libdtall.so.1.2 dt_work entry dtuser
from a caller, named
offset 0, argument 7, in its register
the process's
return 158
