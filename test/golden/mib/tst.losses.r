tcpRetransSegs as the kernel
udpInOverflows as the kernel
