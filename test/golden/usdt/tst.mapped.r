registers -2 -2 1, registers -2 -2 1 0
memory -40 -40 30, memory -40 -40 30 0
constants -600 -600 500, constants -600 -600 500 0

-- started later

constants -600 -600 500 0
memory -40 -40 30 0
registers -2 -2 1 0
