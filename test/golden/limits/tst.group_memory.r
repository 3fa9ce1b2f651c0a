status 0
all accounted for
