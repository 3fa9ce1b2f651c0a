/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose sites have the argument strings written here, and known values in what they name. It does what its
 * standard input says, a letter each, and answers each with a line:
 *
 *   s       prints the counter that says "enabled"
 *   0 .. 9  waits until so many tracers have raised it for all sites
 *   f       fires every site once
 *   d       loads the library named by $LIBRARY, whose sites f fires then
 *   e       executes $PROGRAM
 *
 * Built with -DLIBRARY -shared it is that library, with -DHOST a program without sites of its own.
 */
#ifndef LIBRARY
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#ifndef HOST
#ifdef __LP64__
#define ADDRESS ".8byte"
#else
#define ADDRESS ".4byte"
#endif

#ifndef PROVIDER
#define PROVIDER "opnd"
#endif

unsigned short opnd_semaphore __attribute__((section(".probes"), used, visibility("hidden")));

#define SITE(name, arguments, ...)                                            \
  __asm__ volatile(                                                           \
      "990: nop\n"                                                            \
      ".pushsection .note.stapsdt,\"\",\"note\"\n"                            \
      ".balign 4\n"                                                           \
      ".4byte 992f-991f, 994f-993f, 3\n"                                      \
      "991: .asciz \"stapsdt\"\n"                                             \
      "992: .balign 4\n"                                                      \
      "993: " ADDRESS " 990b\n" ADDRESS " _.stapsdt.base\n" ADDRESS           \
      " opnd_semaphore\n"                                                     \
      ".asciz \"" PROVIDER "\"\n.asciz \"" name "\"\n.asciz \"" arguments     \
      "\"\n"                                                                  \
      "994: .balign 4\n"                                                      \
      ".popsection\n"                                                         \
      ".ifndef _.stapsdt.base\n"                                              \
      ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
      ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n"                        \
      "_.stapsdt.base: .space 1\n"                                            \
      ".size _.stapsdt.base, 1\n"                                             \
      ".popsection\n"                                                         \
      ".endif\n"                                                              \
      :                                                                       \
      : __VA_ARGS__)

static struct {
  long long before, first;
  int second, third;
  unsigned char bytes[16];
} table __attribute__((used, aligned(64))) = {-5, 0x1122334455667788, -77, 1000, {1, 2, 3, 4, 250, 251, 252, 253}};
static long long numbers[4] __attribute__((used, aligned(64))) = {10, 11, -12, 13};
#ifndef LIBRARY
static __thread int of_thread __attribute__((used));
#endif

__attribute__((noinline)) static void fire(void) {
#ifdef __aarch64__
  /* The values of x86-64, in the forms of this machine. Thread-local variables have none in argument strings. */
  register unsigned long long a __asm__("x0"), b __asm__("x1"), c __asm__("x2");

  a = 0x1122334485868788ull, b = 0x11223344858687ull;
  SITE("registers", "8@x0 -8@x0 4@w0 -4@w0 2@w0 -2@w0 1@w0 -1@w0 1@w1 -1@w1", "r"(a), "r"(b));
  a = (unsigned long long)&table, b = (unsigned long long)table.bytes, c = 0xf00000001ull;
  SITE("memory",
       "8@[x0, 8] -4@[x0, #16] 4@[x0, 16] 4@[x0, 20] -8@[x0] 1@[x1, w2, uxtw 2] -1@[x1, w2, sxtw 2] "
       "2@[x1, w2, uxtw #1] -2@[x1, w2, uxtw 2]",
       "r"(a), "r"(b), "r"(c));
  __asm__("adrp %0, numbers\n adrp %1, table" : "=r"(a), "=r"(b));
  SITE("symbols", "-8@[x0, :lo12:numbers+16] 8@[x0, :lo12:numbers+8] -4@[x1, :lo12:table+16] 8@42 -4@-1 4@#-1 1@255",
       "r"(a), "r"(b));
#ifndef LIBRARY
  a = (unsigned long long)&of_thread, b = (unsigned long long)__builtin_thread_pointer();
  SITE("threads", "-4@[x0] 8@x1 8@x1", "r"(a), "r"(b));
#endif
  a = 3, b = 4;
  SITE("one__lost", "-4@w0 8@.LC7 -4@w1", "r"(a), "r"(b));
#elif defined(__LP64__)
  SITE("registers", "8@%%rax -8@%%rax 4@%%eax -4@%%eax 2@%%ax -2@%%ax 1@%%al -1@%%al 1@%%ah -1@%%ah",
       "a"(0x1122334485868788ull));
  SITE("memory",
       "8@8(%%rbx) -4@16(%%rbx) 4@16(%%rbx) 4@20(%%rbx) -8@(%%rbx) 1@24(%%rbx,%%rcx,4) -1@24(%%rbx,%%rcx,4) "
       "2@24(%%rbx,%%rcx,2) -2@24(%%rbx,%%rcx,4)",
       "b"(&table), "c"(1ull));
  SITE("symbols", "-8@16+numbers(%%rip) 8@numbers+8(%%rip) -4@table+16(%%rip) 8@$42 -4@$-1 4@$-1 1@$255", "a"(0));
#ifndef LIBRARY
  SITE("threads", "-4@%%fs:of_thread@tpoff 8@%%fs:0 8@%%rax", "a"(__builtin_thread_pointer()));
#endif
  SITE("one__lost", "-4@%%ecx 8@.LC7(%%rip) -4@%%edx", "c"(3), "d"(4));
#else
  SITE("registers", "4@%%eax -4@%%eax 2@%%ax -2@%%ax 1@%%al -1@%%al 1@%%ah -1@%%ah 8@%%eax", "a"(0x85868788),
       "d"(0x11223344));
  SITE("memory",
       "8@8(%%ebx) -4@16(%%ebx) 4@16(%%ebx) 4@20(%%ebx) -8@(%%ebx) 1@24(%%ebx,%%ecx,4) -1@24(%%ebx,%%ecx,4) "
       "2@24(%%ebx,%%ecx,2) -2@24(%%ebx,%%ecx,4)",
       "b"(&table), "c"(1));
#ifndef LIBRARY
  SITE("threads", "-4@%%gs:of_thread@ntpoff 4@%%gs:0 4@%%eax", "a"(__builtin_thread_pointer()));
#endif
  SITE("one__lost", "-4@%%ecx 8@.LC7 -4@%%edx", "c"(3), "d"(4));
#endif
}
#endif /* HOST */

#ifdef LIBRARY
void library_fire(void) { fire(); }
unsigned short *library_semaphore(void) { return &opnd_semaphore; }
#else
int main(int argc, char **argv) {
#ifdef HOST
  static unsigned short none;
  int sites = 4;
  unsigned short *semaphore = &none;
  void (*fires)(void) = 0;
#else
#ifdef __LP64__
  int sites = 5;
#else
  int sites = 4;
#endif
  unsigned short *semaphore = &opnd_semaphore;
  void (*fires)(void) = fire;
  of_thread = -4711;
#endif

  setvbuf(stdin, NULL, _IONBF, 0); /* what comes after e is for the program that is executed */
  for (int letter; (letter = getchar()) != EOF;) {
    volatile unsigned short *counter = semaphore;

    switch (letter) {
      case 's':
        printf("%d\n", *counter);
        break;
      case '0' ... '9': {
        int wanted = (letter - '0') * sites;

        for (int i = 0; i < 30000 && *counter != wanted; i++) usleep(1000);
        /* The kernel raises it and sets the probe while it has the lock that this needs. */
        munmap(mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1);
        puts(*counter == wanted ? "well" : "in vain");
        break;
      }
      case 'f':
        fires();
        puts("fired");
        break;
#ifdef HOST
      case 'd': {
        void *library = dlopen(getenv("LIBRARY"), RTLD_NOW);

        if (!library) return 1;
        fires = (void (*)(void))dlsym(library, "library_fire");
        semaphore = ((unsigned short *(*)(void))dlsym(library, "library_semaphore"))();
        puts("loaded");
        break;
      }
#endif
      case 'e':
        fflush(stdout);
        execl(getenv("PROGRAM"), getenv("PROGRAM"), NULL);
        return 1;
      default:
        continue;
    }
    fflush(stdout);
  }
  return 0;
}
#endif
