              dtuser`caller
              libdtall.so.1.2`dt_work
entry 7 text DIR/lib/libdtall.so.1.2 dt_work entry dtuser
from dtuser`caller, named
offset 0, argument 7, in its register
return 158
the process's
