ok: iosnoop: 8 writes of 64k
ok: iosnoop: 32 reads of 16k, from as many places
ok: iosnoop: latencies
ok: iosnoop: the device
ok: iosnoop: -d
ok: iosnoop: -m
ok: iolatency -s: counts
ok: iolatency -s: percentiles
ok: iolatency: a distribution of 8
ok: iolatency: a distribution of 32
ok: bitesize: 8 of 64k
ok: bitesize: 32 of 16k
ok: iotop: the bytes
