version 3
327680
file is done 10
op-lookup-done 2 1
op-mkdir-done 0 1
op-read-done bytes 327680
op-read-done calls 5
op-read-done last at 262144
op-read-start bytes 327680
op-read-start calls 5
op-read-start last at 262144
op-rmdir-done 0 1
op-rmdir-start calls 1
op-write-done bytes 327680
op-write-done calls 5
op-write-done last at 262144
op-write-start bytes 327680
op-write-start calls 5
op-write-start last at 262144
version 4
327680
file is done 10
op-create-done 0 1
op-lookup-done 2 1
op-read-done bytes 327680
op-read-done calls 5
op-read-done last at 262144
op-read-start bytes 327680
op-read-start calls 5
op-read-start last at 262144
op-remove-done 0 2
op-remove-start calls 2
op-write-done bytes 327680
op-write-done calls 5
op-write-done last at 262144
op-write-start bytes 327680
op-write-start calls 5
op-write-start last at 262144
