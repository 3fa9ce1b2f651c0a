signal
stopped True
exited 0
chilled True

