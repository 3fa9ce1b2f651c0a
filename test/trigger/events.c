/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events [-w] [-s SECONDS] [-n NAME] [-o FILE] KIND COUNT: makes COUNT events of a kind, evenly over SECONDS if given,
 * and prints to FILE, or as its last line, what it made:
 *
 *     {"count": 100, "failed": 10, "bytes": 0, "cpu_ns": 93051, "wall_ns": 104112, "port": 0}
 *
 * -w: it says "ready PID PORT" first, and begins when it has read a line. -n: its name in the kernel's eyes.
 * `failed` of the COUNT calls fail, `bytes` are read and written, unless the kind says otherwise; `cpu_ns` has the
 * children's time. Files are in the working directory. The kinds are in the table at the end.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kPage = 4096, kPages = 256, kAllocation = 100 };

static long failed, bytes, port;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static long now_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static long cpu_ns(void) {
  struct rusage children;
  getrusage(RUSAGE_CHILDREN, &children);
  const long children_us = (children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1000000L +
                           children.ru_utime.tv_usec + children.ru_stime.tv_usec;
  return now_ns(CLOCK_PROCESS_CPUTIME_ID) + children_us * 1000;
}

static int create(const char *name, long size, int flags) {
  const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  char page[kPage] = "data";
  if (fd < 0) die(name);
  for (long done = 0; done < size; done += kPage)
    if (write(fd, page, kPage) != kPage) die(name);
  fsync(fd);
  close(fd);
  return open(name, O_RDWR | flags);
}

/* ---- system calls */

static void begin_there(void) { close(create("events.there", kPage, 0)); }

/* The last of each ten is not there. */
static const char *name_of(long i) {
  failed += i % 10 == 9;
  return i % 10 == 9 ? "events.missing" : "events.there";
}

static void do_open(long i) {
  const int fd = open(name_of(i), O_RDONLY);
  if (fd >= 0) close(fd);
}

static void do_stat(long i) {
  struct stat s;
  (void)!stat(name_of(i), &s);
}

static void do_call(long i) {
  (void)i;
  syscall(SYS_getppid);
}

static void do_fail(long i) {
  (void)i;
  failed += syscall(SYS_close, -1) != 0;
}

static void do_kill(long i) {
  (void)i;
  kill(getpid(), 0);
}

/* The kernel asks for CAP_SYS_ADMIN before it looks at the name. */
static void do_capable(long i) {
  (void)i;
  failed += syscall(SYS_sethostname, NULL, -1) != 0;
}

/* One millisecond of CPU each, nearly all in the kernel. */
static void do_kernel(long i) {
  static char zeros[1 << 16];
  const int fd = open("/dev/zero", O_RDONLY);
  const long until = now_ns(CLOCK_THREAD_CPUTIME_ID) + 1000000;
  (void)i;
  while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until)
    if (read(fd, zeros, sizeof zeros) < 0) die("/dev/zero");
  close(fd);
}

/* ---- processes and threads */

static void do_exec(long i) {
  char *const arguments[] = {"true", "events-child", NULL};
  pid_t pid;
  int status;
  (void)i;
  if (posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, (char *const[]){NULL}) != 0) die("posix_spawn");
  waitpid(pid, &status, 0);
}

static void *nothing(void *p) { return p; }

static void do_thread(long i) {
  pthread_t thread;
  (void)i;
  if (pthread_create(&thread, NULL, nothing, NULL) != 0) die("pthread_create");
  pthread_join(thread, NULL);
}

static int to_child[2], from_child[2];

static void begin_switch(void) {
  char c;
  if (pipe(to_child) || pipe(from_child)) die("pipe");
  if (fork() != 0) {
    close(to_child[0]);
    close(from_child[1]);
    return;
  }
  close(to_child[1]);
  prctl(PR_SET_NAME, "events-peer");
  while (read(to_child[0], &c, 1) == 1)
    if (write(from_child[1], &c, 1) != 1) break;
  _exit(0);
}

static void do_switch(long i) {
  char c = (char)i;
  if (write(to_child[1], &c, 1) != 1 || read(from_child[0], &c, 1) != 1) die("pipe");
  bytes += 1;
}

static void end_switch(void) {
  close(to_child[1]);
  wait(NULL);
}

static void do_nap(long i) {
  const struct timespec t = {0, 1000000};
  (void)i;
  nanosleep(&t, NULL);
}

__attribute__((noinline)) long events_work(long n) {
  __asm__ volatile("" ::: "memory");
  return n + 1;
}

static void do_function(long i) { events_work(i); }

/* One millisecond of CPU each. */
static void do_spin(long i) {
  const long until = now_ns(CLOCK_THREAD_CPUTIME_ID) + 1000000;
  while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until)
    for (long j = 0; j < 1000; j++) events_work(i);
}

static void do_malloc(long i) {
  static void *volatile last;
  last = malloc(kAllocation);
  (void)last;
  bytes += kAllocation;
  (void)i;
}

static pthread_mutex_t events_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *hold_lock(void *p) {
  const struct timespec t = {0, 2000000};
  pthread_mutex_lock(&events_mutex);
  pthread_barrier_wait(&both);
  nanosleep(&t, NULL);
  pthread_mutex_unlock(&events_mutex);
  return p;
}

/* A wait of about two milliseconds for a lock that another thread holds; `bytes` is how often it was held. */
static void do_lock(long i) {
  pthread_t thread;
  (void)i;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&thread, NULL, hold_lock, NULL);
  pthread_barrier_wait(&both);
  if (pthread_mutex_trylock(&events_mutex) != 0) {
    bytes++;
    pthread_mutex_lock(&events_mutex);
  }
  pthread_mutex_unlock(&events_mutex);
  pthread_join(thread, NULL);
}

/* ---- files and disks */

static int file;

static void begin_file(void) { file = create("events.file", kPage * kPages, 0); }

/* 1000 bytes are written and 500 read. */
static void do_file(long i) {
  char text[1000] = "text";
  if (pwrite(file, text, 1000, i % 100 * 1000) != 1000 || pread(file, text, 500, 0) != 500) die("events.file");
  bytes += 1500;
}

static void do_sync(long i) {
  if (pwrite(file, "sync", 4, i % kPage) != 4 || fsync(file) != 0) die("events.file");
}

static void begin_disk(void) {
  file = create("events.file", kPage * kPages, O_DIRECT);
  if (file < 0) die("events.file: O_DIRECT");
}

static void do_disk(long i) {
  static char page[kPage] __attribute__((aligned(kPage)));
  if (pread(file, page, kPage, i * 7 % kPages * kPage) != kPage) die("events.file");
  bytes += kPage;
}

/* ---- networks */

static int server;
static struct sockaddr_in address;

static void bind_server(int type) {
  socklen_t size = sizeof address;
  server = socket(AF_INET, type, 0);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(server, (struct sockaddr *)&address, sizeof address) != 0) die("bind");
  getsockname(server, (struct sockaddr *)&address, &size);
  port = ntohs(address.sin_port);
}

static void begin_tcp(void) {
  bind_server(SOCK_STREAM);
  if (listen(server, 5) != 0) die("listen");
}

static void receive(int fd, long size) {
  char text[100];
  for (long n; size > 0; size -= n)
    if ((n = read(fd, text, size)) <= 0) die("read");
}

/* A connection with 100 bytes there and 10 back. */
static void do_tcp(long i) {
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  char text[100] = "";
  (void)i;
  if (connect(client, (struct sockaddr *)&address, sizeof address) != 0) die("connect");
  const int accepted = accept(server, NULL, NULL);
  if (write(client, text, 100) != 100) die("write");
  receive(accepted, 100);
  if (write(accepted, text, 10) != 10) die("write");
  receive(client, 10);
  close(client);
  (void)!read(accepted, text, 1);
  close(accepted);
  bytes += 110;
}

static long nr_clients, clients[1000];

static void begin_unanswered(void) {
  bind_server(SOCK_STREAM);
  if (listen(server, 0) != 0) die("listen");
}

/* The first connections fill the queue of the socket, which nobody empties; the others send their SYN again and again.
 */
static void do_unanswered(long i) {
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  (void)i;
  (void)!connect(client, (struct sockaddr *)&address, sizeof address);
  if (nr_clients < 1000) clients[nr_clients++] = client;
}

/* `bytes` is how often a SYN was sent again. */
static void end_unanswered(void) {
  for (long i = 0; i < nr_clients; i++) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    if (getsockopt(clients[i], IPPROTO_TCP, TCP_INFO, &info, &size) == 0) bytes += info.tcpi_total_retrans;
  }
}

static void begin_refuse(void) { bind_server(SOCK_STREAM); /* and does not listen */ }

static void do_refuse(long i) {
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  (void)i;
  failed += connect(client, (struct sockaddr *)&address, sizeof address) != 0;
  close(client);
}

static void begin_udp(void) { bind_server(SOCK_DGRAM); }

static void do_udp(long i) {
  char text[100] = "";
  (void)i;
  if (sendto(server, text, 100, 0, (struct sockaddr *)&address, sizeof address) != 100) die("sendto");
  if (recv(server, text, 100, 0) != 100) die("recv");
  bytes += 100;
}

static void do_lookup(long i) {
  struct addrinfo *found = NULL;
  (void)i;
  failed += getaddrinfo("localhost", NULL, NULL, &found) != 0;
  if (found) freeaddrinfo(found);
}

/* ---- */

static const struct kind {
  const char *name;
  void (*begin)(void);
  void (*one)(long i);
  void (*end)(void);
} kinds[] = {
    {"open", begin_there, do_open, NULL},
    {"stat", begin_there, do_stat, NULL},
    {"call", NULL, do_call, NULL},
    {"fail", NULL, do_fail, NULL},
    {"kill", NULL, do_kill, NULL},
    {"exec", NULL, do_exec, NULL},
    {"thread", NULL, do_thread, NULL},
    {"switch", begin_switch, do_switch, end_switch},
    {"nap", NULL, do_nap, NULL},
    {"function", NULL, do_function, NULL},
    {"spin", NULL, do_spin, NULL},
    {"malloc", NULL, do_malloc, NULL},
    {"lock", NULL, do_lock, NULL},
    {"file", begin_file, do_file, NULL},
    {"sync", begin_file, do_sync, NULL},
    {"disk", begin_disk, do_disk, NULL},
    {"tcp", begin_tcp, do_tcp, NULL},
    {"refuse", begin_refuse, do_refuse, NULL},
    {"udp", begin_udp, do_udp, NULL},
    {"lookup", NULL, do_lookup, NULL},
    {"capable", NULL, do_capable, NULL},
    {"kernel", NULL, do_kernel, NULL},
    {"unanswered", begin_unanswered, do_unanswered, end_unanswered},
};

static void sleep_until(long at_ns) {
  const struct timespec t = {at_ns / 1000000000, at_ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

int main(int argc, char **argv) {
  const char *name = "events", *out = NULL;
  long seconds = 0;
  int waits = 0, option;
  while ((option = getopt(argc, argv, "wn:o:s:")) != -1) {
    if (option == 'w') waits = 1;
    if (option == 'n') name = optarg;
    if (option == 'o') out = optarg;
    if (option == 's') seconds = atol(optarg);
    if (option == '?') return 2;
  }
  const struct kind *kind = NULL;
  for (size_t i = 0; argc - optind == 2 && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, argv[optind]) == 0) kind = &kinds[i];
  if (kind == NULL) {
    fprintf(stderr, "events: KIND COUNT is missing, or no such kind\n");
    return 2;
  }
  const long count = atol(argv[optind + 1]);
  prctl(PR_SET_NAME, name);
  if (kind->begin) kind->begin();
  if (waits) {
    char line[16];
    printf("ready %d %ld\n", getpid(), port);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) return 1;
  }
  const long start_ns = now_ns(CLOCK_MONOTONIC), start_cpu_ns = cpu_ns();
  for (long i = 0; i < count; i++) {
    if (seconds) sleep_until(start_ns + i * (seconds * 1000000000L / count));
    kind->one(i);
  }
  const long used_ns = cpu_ns() - start_cpu_ns, wall_ns = now_ns(CLOCK_MONOTONIC) - start_ns;
  if (kind->end) kind->end();
  FILE *to = out ? fopen(out, "w") : stdout;
  if (to == NULL) die(out);
  fprintf(to, "{\"count\": %ld, \"failed\": %ld, \"bytes\": %ld, \"cpu_ns\": %ld, \"wall_ns\": %ld, \"port\": %ld}\n",
          count, failed, bytes, used_ns, wall_ns, port);
  fclose(to);
  if (waits) getchar(); /* the process stays until its tracer has ended */
  return 0;
}
