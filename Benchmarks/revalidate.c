// A load generator for answers without content, where wrk will not do: its parser waits for the
// body of a 304 that says what Content-Length the 200 would have.
//
//     revalidate PORT THREADS CONNECTIONS SECONDS PATH ETAG
//
// Asks 127.0.0.1 for PATH with `If-None-Match: ETAG`, each connection again as soon as it has its
// answer, and prints the line of JSON that scroll.lua prints at the end. Anything but a 304 is an
// error.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_CAPACITY = 4096 };

static struct sockaddr_in address = {.sin_family = AF_INET};
static char request[8192];
static size_t request_length;
static double duration;

/// A connection and what it has of the answer that it waits for.
struct connection {
  int socket;
  size_t count;
  char answer[ANSWER_CAPACITY];
};

/// What one thread did.
struct share {
  pthread_t thread;
  int connections;
  long requests, bytes, errors;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int ask(const struct connection *connection) {
  return send(connection->socket, request, request_length, MSG_NOSIGNAL) == (ssize_t)request_length;
}

static int opened(struct connection *connection, int epoll) {
  int one = 1;
  connection->count = 0;
  connection->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (connection->socket < 0) return 0;
  setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  return !connect(connection->socket, (struct sockaddr *)&address, sizeof address)
    && !epoll_ctl(epoll, EPOLL_CTL_ADD, connection->socket, &event) && ask(connection);
}

/// Reads what there is; whether the connection can be asked on.
static int received(struct connection *connection, struct share *share) {
  ssize_t count = recv(
    connection->socket, connection->answer + connection->count,
    ANSWER_CAPACITY - connection->count, 0);
  if (count <= 0) return 0;
  share->bytes += count;
  connection->count += (size_t)count;
  if (connection->count < 4 || memcmp(connection->answer + connection->count - 4, "\r\n\r\n", 4))
    return connection->count < ANSWER_CAPACITY;
  if (memcmp(connection->answer, "HTTP/1.1 304", 12)) return 0;
  share->requests++;
  connection->count = 0;
  return ask(connection);
}

static void *run(void *context) {
  struct share *share = context;
  struct connection *connections = calloc((size_t)share->connections, sizeof *connections);
  int epoll = epoll_create1(0);
  for (int i = 0; i < share->connections; i++) {
    if (!opened(&connections[i], epoll)) share->errors++;
  }
  for (double end = now() + duration; now() < end && !share->errors;) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, 64, 100);
    for (int i = 0; i < count; i++) {
      if (!received(events[i].data.ptr, share)) share->errors++;
    }
  }
  for (int i = 0; i < share->connections; i++) close(connections[i].socket);
  close(epoll);
  free(connections);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fputs("usage: revalidate PORT THREADS CONNECTIONS SECONDS PATH ETAG\n", stderr);
    return 64;
  }
  address.sin_port = htons((uint16_t)atoi(argv[1]));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int threads = atoi(argv[2]), connections = atoi(argv[3]);
  duration = atof(argv[4]);
  int length = snprintf(
    request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nIf-None-Match: %s\r\n\r\n",
    argv[5], argv[1], argv[6]);
  if (threads < 1 || threads > 64 || length >= (int)sizeof request) return 64;
  request_length = (size_t)length;

  struct share shares[64] = {0}, total = {0};
  double start = now();
  for (int i = 0; i < threads; i++) {
    shares[i].connections = connections / threads;
    if (pthread_create(&shares[i].thread, NULL, run, &shares[i])) return EXIT_FAILURE;
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(shares[i].thread, NULL);
    total.requests += shares[i].requests;
    total.bytes += shares[i].bytes;
    total.errors += shares[i].errors;
  }
  printf(
    "{\"requests\": %ld, \"seconds\": %.6f, \"bytes\": %ld, \"errors\": %ld}\n", total.requests,
    now() - start, total.bytes, total.errors);
  return 0;
}
