request: 127.0.0.1 mss 1.., sequence 0
sequences: sent 1 1 1, got 1 1
windows: send 1001.. receive 1001.., scale sent 0..14, scale received 0..14
congestion: 1, threshold 1
sacked: 1 1
times: retransmission 1..120000 round-trip 0..59999 deviation 0..59999
retransmit 0, acknowledged 1
the same: 1 1 1 127.0.0.1 state-syn-sent

status 0
