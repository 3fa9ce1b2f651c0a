#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: trees of nodes, as databases have them, are printed and followed by types alone: structures that begin with a tag, lists of
# unions behind a pointer and in a flexible array, bit sets, bit-fields, enumerations, pointers to types that are only declared.
# @@timeout: 60  @@tags: userland
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
cat >prog.c <<'C'
#include <stdlib.h>
typedef enum { T_Invalid, T_List = 3, T_Table = 7, T_Limit = 54, T_Statement = 61 } Tag;
typedef enum Command { CMD_UNKNOWN, CMD_SELECT, CMD_INSERT } Command;
typedef struct Node { Tag type; } Node;
typedef union Cell { void *ptr_value; int int_value; unsigned oid_value; } Cell;
typedef struct List { Tag type; int length; int max_length; Cell *elements; Cell initial_elements[]; } List;
typedef struct Set { int nwords; unsigned long words[]; } Set;
typedef struct Plan { Tag type; double cost; int width; _Bool parallel; List *targets; struct Plan *left; } Plan;
typedef struct Limit { Plan plan; Node *count; } Limit;
typedef struct Table { Tag type; unsigned relid; char kind; unsigned is_child : 1, depth : 5; int mode : 4; const char *name; Set *columns; } Table;
typedef struct Statement { Tag type; Command command; unsigned long id; _Bool has_returning; Plan *plan; List *tables; List *relations; struct Opaque *opaque; } Statement;
static List *list_of(Cell cell) {
  List *list = malloc(sizeof(List) + 4 * sizeof(Cell));
  *list = (List){T_List, 1, 4, list->initial_elements};
  list->elements[0] = cell;
  return list;
}
__attribute__((noinline)) void start(Statement *statement, int flags) { __asm__ volatile("" : : "r"(statement), "r"(flags) : "memory"); }
int main(void) {
  Table *table = malloc(sizeof(Table));
  Set *set = malloc(sizeof(Set) + sizeof(long));
  *set = (Set){1};
  set->words[0] = 0x300;
  *table = (Table){T_Table, 13572, 'r', 1, 17, -3, "things", set};
  Limit limit = {{T_Limit, 26.5, 40, 1, 0, 0}, (Node *)table};
  Statement statement = {T_Statement, CMD_SELECT, 0, 0, &limit.plan, list_of((Cell){.ptr_value = table}), list_of((Cell){.oid_value = 13572}), (struct Opaque *)0};
  start(&statement, 16);
  return 0;
}
C
gcc -O2 -g -o prog prog.c || exit 1
"$dtrace" $dt_flags -qn '
pid$target:a.out:start:entry
{
	print(*args[0]);
	print(*args[0]->plan);
	print(*(Limit *)args[0]->plan);
	print(*args[0]->tables);
	this->table = (Table *)args[0]->tables->elements[0].ptr_value;
	print(*this->table);
	print(*this->table->columns);
	printf("%s %d %x %d\n", stringof(this->table->name), args[0]->relations->elements->oid_value, this->table->columns->words[0], this->table->mode);
	printf("%d %d %.1f\n", args[0]->command == CMD_SELECT, ((Node *)args[0])->type == T_Statement, args[0]->plan->cost);
}' -c ./prog | sed 's/0x[0-9a-f]\{6,\}/ADDRESS/g'
exit 0
