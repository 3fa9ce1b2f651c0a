of a hundred: late 75.., by a period 0..10, early 0

