waits 1, as many 1
not longer 1
