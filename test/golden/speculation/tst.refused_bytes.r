first ab
second ab

-- @@stderr --
dtrace: 2 speculative drops
