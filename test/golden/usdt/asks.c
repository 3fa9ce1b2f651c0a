/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose probes are noted as Oracle's tools do it: .note.usdt, with questions whether a probe is enabled. A
 * question sets a variable to 0, has its address in a register at an instruction that does nothing, and reads the
 * variable behind that: a tracer answers by writing to it.
 *
 * It does what its standard input says, a letter each, and answers each with a line:
 *
 *   a   asks for `sold`, and fires it if it is enabled; asks for `refunded`, which is never fired:
 *       "sold S refunded R damaged D", D of the words beside the variables having changed
 *   t   four threads ask for `sold`, each a hundred times, at the same time: "threads N damaged D", N answers being yes
 *   r   asks for `sold` with a variable that cannot be written to: "read-only S"
 *   c   a child process asks for `sold`: "child S damaged D"
 *
 * With IN_MEMORY defined, the variable's address is not in a register but beside it on the stack.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __LP64__
#define ADDRESS "8@"
#define EIGHT_BYTES(LABEL) ".8byte " LABEL "\n"
#else
#define ADDRESS "4@"
#define EIGHT_BYTES(LABEL) ".4byte " LABEL ", 0\n"
#endif

/* KIND 1 is a site, 2 a question. */
#define NOTE(KIND, PROBE, COUNT, ARGUMENTS) \
  "990: nop\n"                              \
  ".pushsection .rodata.asks,\"a\"\n"       \
  "995: .asciz \"asks\"\n"                  \
  ".popsection\n"                           \
  ".pushsection .note.usdt,\"\",\"note\"\n" \
  ".balign 4\n"                             \
  ".4byte 992f-991f, 994f-993f, " #KIND     \
  "\n"                                      \
  "991: .asciz \"usdt\"\n"                  \
  "992: .balign 4\n"                        \
  "993:\n"                                 \
  EIGHT_BYTES("990b")                       \
  EIGHT_BYTES("995b")                       \
  ".asciz \"shop\"\n"                       \
  ".asciz \"" #PROBE                        \
  "\"\n"                                    \
  ".byte " #COUNT                           \
  "\n"                                      \
  ".asciz \"" ARGUMENTS                     \
  "\"\n"                                    \
  "994: .balign 4\n"                        \
  ".popsection\n"

enum { WORDS = 4, PATTERN = 0x5a5a5a5a };

struct asked {
  int before[WORDS], answer, behind[WORDS];
};

#ifdef IN_MEMORY
#define PLACE "m"
#else
#define PLACE "r"
#endif

#define IS_ENABLED(PROBE, ASKED)                                                      \
  ({                                                                                  \
    int *variable = &(ASKED)->answer;                                                 \
    *variable = 0;                                                                    \
    __asm__ volatile(NOTE(2, PROBE, 1, ADDRESS "%0") : : PLACE(variable) : "memory"); \
    (ASKED)->answer;                                                                  \
  })

static void surround(struct asked *asked) {
  for (int i = 0; i < WORDS; i++) asked->before[i] = asked->behind[i] = PATTERN;
}

static int damaged(const struct asked *asked) {
  int count = 0;
  for (int i = 0; i < WORDS; i++) count += (asked->before[i] != PATTERN) + (asked->behind[i] != PATTERN);
  return count + (asked->answer != 0 && asked->answer != 1);
}

static __attribute__((noinline)) int is_sold_enabled(struct asked *asked) {
  surround(asked);
  return IS_ENABLED(sold, asked);
}

static void ask(int number) {
  struct asked sold, refunded;
  if (is_sold_enabled(&sold)) __asm__ volatile(NOTE(1, sold, 1, "-4@%0") : : "r"(number) : "memory");
  surround(&refunded);
  if (IS_ENABLED(refunded, &refunded)) __asm__ volatile(NOTE(1, refunded, 1, "-4@%0") : : "r"(number) : "memory");
  printf("sold %d refunded %d damaged %d\n", sold.answer, refunded.answer, damaged(&sold) + damaged(&refunded));
}

enum { THREADS = 4, QUESTIONS = 100 };

struct sum {
  int yes, damaged;
};

static pthread_barrier_t all_there;

static void *ask_often(void *argument) {
  struct sum *sum = argument;
  pthread_barrier_wait(&all_there);
  for (int i = 0; i < QUESTIONS; i++) {
    struct asked sold;
    sum->yes += is_sold_enabled(&sold);
    sum->damaged += damaged(&sold);
  }
  return NULL;
}

static void ask_in_threads(void) {
  pthread_t threads[THREADS];
  struct sum sums[THREADS] = {{0, 0}}, all = {0, 0};
  pthread_barrier_init(&all_there, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, ask_often, &sums[i]) != 0) exit(1);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    all.yes += sums[i].yes;
    all.damaged += sums[i].damaged;
  }
  printf("threads %d damaged %d\n", all.yes, all.damaged);
}

static const int read_only[WORDS];

static void ask_in_vain(void) {
  const int *variable = &read_only[1];
  __asm__ volatile(NOTE(2, sold, 1, ADDRESS "%0") : : PLACE(variable) : "memory");
  printf("read-only %d\n", *(const volatile int *)variable);
}

static void ask_in_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    struct asked sold;
    is_sold_enabled(&sold);
    printf("child %d damaged %d\n", sold.answer, damaged(&sold));
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

int main(void) {
  int letter, number = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  while ((letter = getchar()) != EOF) {
    if (letter == 'a') ask(++number);
    if (letter == 't') ask_in_threads();
    if (letter == 'r') ask_in_vain();
    if (letter == 'c') ask_in_child();
  }
  return 0;
}
