syscount: equal
procsystime: equal
errinfo: equal
execsnoop: equal
status 2
-- @@stderr --
syscount.d: option --replay needs a value: --replay=FILE
Try 'syscount.d --help'.
