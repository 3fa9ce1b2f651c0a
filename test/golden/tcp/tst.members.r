request: 127.0.0.1 1, sequence 0
sequences: sent 1 1 1, got 1 1
windows: 1 1, scales 1 1
congestion: 1, threshold 1
sacked: 1 1
times: 1 1 1
retransmit 0, acknowledged 1
the same: 1 1 1 127.0.0.1 state-syn-sent

status 0
