[left and right] [left] [left]
1
xyleft 12
/proc/7/maps maps
left! 1
e

