/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walked THREADS FILES SOCKETS: a process with so many threads, all named "walked", so many descriptors of the file
 * "walked.file" of the current folder, and so many TCP sockets that listen at 127.0.0.1, each at a port of its own. A
 * UDP socket is bound, a UNIX socket listens at the name "@walked-PID". Prints "ready PID" when all is there, and
 * waits for the end of its input.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void need(int done, const char *what) {
  if (done) return;
  perror(what);
  exit(1);
}

static void *wait_for_ever(void *unused) {
  for (;;) pause();
  return unused;
}

static void listen_at_some_port(void) {
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  need(fd >= 0 && !bind(fd, (struct sockaddr *)&any, sizeof any) && !listen(fd, 1), "listen");
}

static void bind_datagrams(void) {
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  need(fd >= 0 && !bind(fd, (struct sockaddr *)&any, sizeof any), "bind");
}

static void listen_at_name(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "walked-%d", getpid());
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  need(fd >= 0 && !bind(fd, (struct sockaddr *)&name, offsetof(struct sockaddr_un, sun_path) + 1 + length) &&
           !listen(fd, 1),
       "a UNIX socket");
}

int main(int argc, char **argv) {
  char byte;
  if (argc != 4) return 2;
  for (int i = 1; i < atoi(argv[1]); i++) {
    pthread_t thread;
    need(!pthread_create(&thread, NULL, wait_for_ever, NULL), "pthread_create");
  }
  for (int i = 0; i < atoi(argv[2]); i++) need(open("walked.file", O_RDWR | O_CREAT, 0600) >= 0, "walked.file");
  for (int i = 0; i < atoi(argv[3]); i++) listen_at_some_port();
  bind_datagrams();
  listen_at_name();
  printf("ready %d\n", getpid());
  fflush(stdout);
  while (read(0, &byte, 1) > 0) continue;
  return 0;
}
