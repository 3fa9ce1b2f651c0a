1 0
before
speculated
after

-- @@stderr --
dtrace: 1 failed speculation (no speculative buffer available)
