
fsync dtfile 2
ioctl dtfile 3
map dtfile 1
readdir dtfolder 2
seek dtfile 4
space dtfile 2
