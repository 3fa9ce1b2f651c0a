/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters io|tasks|faults|file|switches|calls [FOLDER]: does what the system counts, a known number of times, and
 * prints what its own counters say: those of getrusage(2) and of /proc/self/io.
 *
 * What is to be counted is between getsid(1) and getsid(2), system calls that fail or return at once. They are made
 * again until the counters are the same before and after them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct rusage at_begin, at_end;

static __attribute__((noinline)) void mark(int which, struct rusage *counters) {
  struct rusage after;
  do {
    getrusage(RUSAGE_SELF, counters);
    getsid(which);
    getrusage(RUSAGE_SELF, &after);
  } while (after.ru_nvcsw != counters->ru_nvcsw || after.ru_nivcsw != counters->ru_nivcsw ||
           after.ru_minflt != counters->ru_minflt);
}
static void begin(void) { mark(1, &at_begin); }
static void end(void) { mark(2, &at_end); }

static void need(int done, const char *what) {
  if (done) return;
  perror(what);
  exit(1);
}

/* The kernel's counts of this process; returns the bytes that reading them took. */
static long read_io(long counts[4]) {
  char text[512] = "";
  int fd = open("/proc/self/io", O_RDONLY);
  long length = read(fd, text, sizeof(text) - 1);
  close(fd);
  need(length > 0 && sscanf(text, "rchar: %ld wchar: %ld syscr: %ld syscw: %ld", &counts[0], &counts[1], &counts[2],
                            &counts[3]) == 4,
       "/proc/self/io");
  return length;
}

static void io(void) {
  char bytes[64] = "";
  struct iovec halves[2] = {{bytes, 5}, {bytes, 5}};
  int file = memfd_create("counters", 0), other = memfd_create("other", 0), null = open("/dev/null", O_RDWR);
  int folder = open("/", O_RDONLY | O_DIRECTORY), ends[2];
  off_t from = 0, to = 0;
  long before[4], after[4];
  long extra;

  need(file >= 0 && null >= 0 && pipe2(ends, O_NONBLOCK) == 0, "files");
  extra = read_io(before);
  begin();
  for (int i = 0; i < 137; i++) need(write(file, bytes, 10) == 10, "write");
  for (int i = 0; i < 3; i++) need(writev(file, halves, 2) == 10, "writev");
  need(pwrite(file, bytes, 20, 0) == 20, "pwrite");
  need(write(99, bytes, 1) < 0 && errno == EBADF, "write to no file");
  need(lseek(file, 0, SEEK_SET) == 0, "lseek");
  for (int i = 0; i < 41; i++) need(read(file, bytes, 7) == 7, "read");
  need(readv(file, halves, 2) == 10, "readv");
  need(pread(file, bytes, 30, 0) == 30, "pread");
  need(read(null, bytes, 1) == 0, "read at the end");
  need(read(ends[0], bytes, 1) < 0 && errno == EAGAIN, "read from an empty pipe");
  need(read(folder, bytes, 1) < 0 && errno == EISDIR, "read from a folder");
  need(pread(ends[0], bytes, 1, 0) < 0 && errno == ESPIPE, "pread from a pipe");
  need(read(99, bytes, 1) < 0 && errno == EBADF, "read from no file");
  need(sendfile(null, file, &from, 64) == 64, "sendfile");
  need(copy_file_range(file, &from, other, &to, 32, 0) == 32, "copy_file_range");
  end();
  read_io(after);
  printf("sysread %ld, syswrite %ld, readch %ld, writech %ld\n", after[2] - before[2] - 1, after[3] - before[3],
         after[0] - before[0] - extra, after[1] - before[1]);
}

static void *nothing(void *unused) { return unused; }

static void tasks(void) {
  char *const words[] = {"true", NULL};
  pid_t child;

  begin();
  for (int i = 0; i < 3; i++) {
    if ((child = fork()) == 0) _exit(0);
    waitpid(child, NULL, 0);
  }
  for (int i = 0; i < 2; i++) {
    if ((child = vfork()) == 0) _exit(0);
    waitpid(child, NULL, 0);
  }
  need(posix_spawn(&child, "/bin/true", NULL, NULL, words, words + 1) == 0, "posix_spawn");
  waitpid(child, NULL, 0);
  for (int i = 0; i < 4; i++) {
    pthread_t thread;
    need(pthread_create(&thread, NULL, nothing, NULL) == 0, "pthread_create");
    pthread_join(thread, NULL);
  }
  need(execv("/nonexistent", words) < 0, "execv");
  end();
}

/* 500 pages are touched, 60 others read, which gives the page of zeros, and then written to. */
static char *pages(int count) {
  const long bytes = count * sysconf(_SC_PAGESIZE);
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  need(memory != MAP_FAILED, "mmap");
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  return memory;
}

/* Pages of a file, of which a write makes a copy. They are there. */
static char *pages_of_file(int count) {
  const long page = sysconf(_SC_PAGESIZE), bytes = count * page;
  const int file = memfd_create("counters", 0);
  volatile char sum = 0;
  char *memory;

  need(file >= 0 && ftruncate(file, bytes) == 0, "file");
  memory = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  need(memory != MAP_FAILED, "mmap");
  close(file);
  for (int i = 0; i < count; i++) sum += memory[i * page];
  need(mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0, "mprotect");
  return memory;
}

/* What a kernel maps where anonymous memory is only read, and whether it may be written then, differs. */
static void faults(void) {
  const long page = sysconf(_SC_PAGESIZE);
  const int kFresh = 500, kRead = 60, kCopied = 60;
  char *fresh = pages(kFresh), *read_only = pages(kRead), *copied = pages_of_file(kCopied);
  volatile char sum = 0;

  begin();
  for (int i = 0; i < kFresh; i++) fresh[i * page] = 1;
  for (int i = 0; i < kRead; i++) sum += read_only[i * page];
  for (int i = 0; i < kCopied; i++) copied[i * page] = 1;
  end();
  printf("as_fault + prot_fault %ld\n", at_end.ru_minflt - at_begin.ru_minflt + at_end.ru_majflt - at_begin.ru_majflt);
}

/* 64 pages of a new file are written to disk, and read again, each by a fault of its own. */
static void file(const char *folder) {
  const long page = sysconf(_SC_PAGESIZE);
  const int kPages = 64;
  char name[4096], *memory, *bytes = calloc(kPages, page);
  volatile char sum = 0;
  int fd;

  snprintf(name, sizeof(name), "%s/counters.%d", folder, getpid());
  fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  need(fd >= 0 && unlink(name) == 0, name);
  memset(bytes, 1, kPages * page);
  begin();
  need(write(fd, bytes, kPages * page) == kPages * page && fdatasync(fd) == 0, "write");
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  memory = mmap(NULL, kPages * page, PROT_READ, MAP_SHARED, fd, 0);
  need(memory != MAP_FAILED, "mmap");
  madvise(memory, kPages * page, MADV_RANDOM);
  for (int i = 0; i < kPages; i++) sum += memory[i * page];
  end();
  printf("maj_fault %ld\n", at_end.ru_majflt - at_begin.ru_majflt);
}

static void switches(void) {
  const struct timespec nap = {0, 1000000};
  begin();
  for (int i = 0; i < 25; i++) nanosleep(&nap, NULL);
  for (int i = 0; i < 25; i++) sched_yield();
  end();
  printf("pswitch %ld, inv_swtch %ld\n", at_end.ru_nvcsw - at_begin.ru_nvcsw + at_end.ru_nivcsw - at_begin.ru_nivcsw,
         at_end.ru_nivcsw - at_begin.ru_nivcsw);
}

/* A counter of CPU 1 is read on CPU 0: CPU 1 is asked for it. */
static void calls(void) {
  struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK};
  cpu_set_t first;
  long value;
  int event;

  CPU_ZERO(&first);
  CPU_SET(0, &first);
  need(sched_setaffinity(0, sizeof(first), &first) == 0, "sched_setaffinity");
  event = syscall(SYS_perf_event_open, &attr, -1, 1, -1, 0);
  need(event >= 0, "perf_event_open");
  begin();
  for (int i = 0; i < 73; i++) need(read(event, &value, sizeof(value)) == sizeof(value), "read");
  end();
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "io")) io();
  if (!strcmp(what, "tasks")) tasks();
  if (!strcmp(what, "faults")) faults();
  if (!strcmp(what, "file")) file(argc > 2 ? argv[2] : ".");
  if (!strcmp(what, "switches")) switches();
  if (!strcmp(what, "calls")) calls();
  return 0;
}
