created 1
ended 1
by 1: 1

