before: 0
raised
prog.py work line 2: 10
after: 0
raised
after the tracer was killed: 0
the program goes on
