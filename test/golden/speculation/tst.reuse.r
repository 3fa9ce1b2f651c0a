1
1
before b
b
before c 0
c
1

-- @@stderr --
dtrace: 1 failed speculation (no speculative buffer available)
