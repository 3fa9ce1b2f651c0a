-- @@stderr --
dtrace: could not enable tracing: a stack cannot be kept in a variable: record it, or make it a key
