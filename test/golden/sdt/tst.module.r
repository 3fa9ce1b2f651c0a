sdt ext4 ext4_unlink_enter
args[0]: struct inode *
args[1]: struct dentry *
sdt ext4_unlink_enter: doomed of 12345 bytes
1
rawtp ext4_unlink_enter: doomed of 12345 bytes
1
sdt ext4_unlink_enter: doomed of 12345 bytes
1
