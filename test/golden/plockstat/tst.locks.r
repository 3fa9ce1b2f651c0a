== one process
main:
  mutex-acquire recursive 0
  mutex-acquire recursive 1
  mutex-release recursive 1
  mutex-release recursive 0
  mutex-acquire checked 0
  mutex-error checked 35
  mutex-release checked 0
  mutex-error checked 1
  mutex-acquire plain 0
  mutex-release plain 0
  mutex-acquire adaptive 0
  mutex-release adaptive 0
  mutex-acquire robust 0
  mutex-release robust 0
  mutex-acquire priority 0
  mutex-release priority 0
  mutex-acquire plain 0
  mutex-release plain 0
  rw-acquire rw 1
  rw-error rw 1 35
  rw-release rw 1
  rw-acquire rw 0
  rw-release rw 0
plain:
  mutex-block plain
  mutex-blocked plain 1
  mutex-acquire plain 0
  mutex-release plain 0
adaptive:
  mutex-spin adaptive
  mutex-block adaptive
  mutex-spun adaptive 0 1
  mutex-blocked adaptive 1
  mutex-acquire adaptive 0
  mutex-release adaptive 0
robust:
  mutex-block robust
  mutex-blocked robust 1
  mutex-acquire robust 0
  mutex-release robust 0
priority:
  mutex-block priority
  mutex-blocked priority 1
  mutex-acquire priority 0
  mutex-release priority 0
timed:
  mutex-error plain 16
  mutex-block plain
  mutex-error plain 110
  mutex-blocked plain 0
reader:
  rw-error rw 0 16
  rw-block rw 0
  rw-blocked rw 0 1
  rw-acquire rw 0
  rw-release rw 0
writer:
  rw-block rw 1
  rw-blocked rw 1 1
  rw-acquire rw 1
  rw-release rw 1
condition:
  mutex-acquire waited 0
  mutex-release waited 0
  mutex-acquire waited 0
  mutex-release waited 0
== all processes
plain:
  mutex-block plain
  mutex-blocked plain 1
  mutex-acquire plain 0
  mutex-release plain 0
adaptive:
  mutex-spin adaptive
  mutex-block adaptive
  mutex-spun adaptive 0 1
  mutex-blocked adaptive 1
  mutex-acquire adaptive 0
  mutex-release adaptive 0
reader:
  rw-block rw 0
  rw-blocked rw 0 1
  rw-acquire rw 0
  rw-release rw 0
writer:
  rw-block rw 1
  rw-blocked rw 1 1
  rw-acquire rw 1
  rw-release rw 1
condition:
  mutex-acquire waited 0
  mutex-release waited 0
  mutex-acquire waited 0
  mutex-release waited 0
