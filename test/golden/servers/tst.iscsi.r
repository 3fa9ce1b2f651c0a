iscsi scsi-command
iscsi scsi-response
read scsi-command 65536 10 0 4
read scsi-response 65536 10 0 4
write scsi-command 131072 10 0 2
write scsi-response 131072 10 0 2
a command that the target refuses
ee: 2
