fired

6

