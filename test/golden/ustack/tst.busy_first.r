0
stacks are whole
