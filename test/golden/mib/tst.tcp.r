tcpActiveOpens 8
tcpAttemptFails 1
tcpEstabResets 2
tcpOutRsts 2
tcpPassiveOpens 7
udpInDatagrams 4
udpNoPorts 1
udpOutDatagrams 5
  note: the kernel has no event for this counter: its value is in /proc/net/snmp or /proc/net/netstat; packets are ip:::send, ip:::receive, tcp:::send and their like
