some have no names, all are counted
