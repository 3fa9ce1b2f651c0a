seen 1, wrong 0, of the open file 1

