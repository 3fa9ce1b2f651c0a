-- pid*:root_spin:main:entry
process PID (root_spin) cannot be inspected: Permission denied
-- nosuch*:::go
process PID (root_spin) cannot be inspected: Permission denied
-- nosuch*PID:::go
process PID (root_spin) cannot be inspected: Permission denied
-- nosuch*1:::go
-- python*:::gc-start
dtrace: python*:::gc-start cannot be set in process PID (root_spin): Permission denied
