child zero 0 1
parent positive 0 1

