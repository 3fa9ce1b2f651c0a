-- no terminal
-- no terminal, -q
-- no terminal, -v
dtrace: tracing has begun: 3 probes are set
-- no terminal, -q -v
dtrace: tracing has begun: 3 probes are set
-- no terminal, -v, exit() in BEGIN
-- terminal
dtrace: tracing has begun: 3 probes are set
-- terminal, -q
-- terminal, exit() in BEGIN
