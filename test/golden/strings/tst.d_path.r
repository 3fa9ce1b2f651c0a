1 1
/
fault 1 at 0

