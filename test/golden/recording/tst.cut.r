mode 600
cut: the recording ends, without its end
rows 50..

dtrace: warning: killed.rec: the recording ends at offset N, without its end
status 1 2
dtrace: warning: short.rec: the recording ends at offset 100, within the block at offset 20

status 0
dtrace: --replay /etc/passwd: no recording
status 1
dtrace: --replay /dev/null: not a regular file
status 1
dtrace: --replay /dev/zero: not a regular file
status 1
dtrace: --replay .: not a regular file
status 1
dtrace: --replay nothing.rec: No such file or directory
status 1
