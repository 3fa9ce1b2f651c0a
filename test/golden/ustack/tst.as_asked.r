a frame
