a frame
a frame
