interval 1
  b    10
  c    100
interval 2
  b    20
  c    200
interval 3
  b    30
  c    300

