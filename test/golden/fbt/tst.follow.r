-> outer U
-> inner U
-> ksys_write K
-> vfs_write K
<- vfs_write K
<- ksys_write K
<- inner U
<- outer U
