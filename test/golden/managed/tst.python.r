stacks are as the program says
