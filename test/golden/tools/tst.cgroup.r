GROUP: 2 opens, status 0
/GROUP/: 2 opens, status 0
GROUP/below: 1 opens, status 0
.: 3 opens, status 0
opensnoop.d: there is no control group ROOT/GROUP/missing
Try 'opensnoop.d --help'.
