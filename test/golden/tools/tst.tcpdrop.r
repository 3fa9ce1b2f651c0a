ok: a SYN to nobody
ok: the same of IPv6
ok: data that a socket does not let in
ok: -s: stacks
ok: -P: that port only
