stem is right
stem1 is right
stem12 is right
right 6
that one
