none is left
