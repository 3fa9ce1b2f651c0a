good 6.., bad 0, without result 0, wrong numbers 0, counted 6..

