// Follows one layout on many streams and measures the time from a change to its events.
//
//     events PORT LAYOUT STREAMS CHANGES IDLE_SECONDS
//
// For each change, it sends an update and waits until every stream has the event. It writes one line
// for each state, for Benchmarks/events.py: "open", then "idle" for the seconds, then a line with
// the latencies in microseconds, from the first byte of the update's request to the event in the
// hands of this program: p50, p99, the largest, and the mean time until the last stream had it.
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int port;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static int connected(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) fail("socket");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof(address)) != 0) fail("connect");
  return descriptor;
}

static void send_all(int descriptor, const char *text) {
  size_t count = strlen(text);
  while (count > 0) {
    ssize_t sent = send(descriptor, text, count, MSG_NOSIGNAL);
    if (sent <= 0) fail("send");
    text += sent;
    count -= sent;
  }
}

// Reads what has arrived; whether there was an event in it. Events of one change come in one piece.
static int has_event(int descriptor) {
  char bytes[8192];
  ssize_t count = recv(descriptor, bytes, sizeof(bytes) - 1, 0);
  if (count <= 0) {
    fprintf(stderr, "a stream has ended\n");
    exit(1);
  }
  bytes[count] = 0;
  return strstr(bytes, "data:") != NULL;
}

// Waits until so many streams have an event, or until the time is over; writes when each came.
static int await(int epoll, int wanted, int64_t until, int64_t *arrivals) {
  struct epoll_event events[512];
  int got = 0;
  while (got < wanted) {
    int64_t left = until - now();
    if (left <= 0) break;
    int count = epoll_wait(epoll, events, 512, left / 1000000 + 1);
    for (int i = 0; i < count; i++) {
      if (!has_event(events[i].data.fd)) continue;
      if (arrivals != NULL) arrivals[got] = now();
      got++;
    }
  }
  return got;
}

static int ascending(const void *a, const void *b) {
  int64_t difference = *(const int64_t *)a - *(const int64_t *)b;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
  if (count != 6) return 2;
  port = atoi(arguments[1]);
  int streams = atoi(arguments[3]), changes = atoi(arguments[4]), idle = atoi(arguments[5]);
  char request[512];
  snprintf(request, sizeof(request), "GET /layouts/%s/events HTTP/1.1\r\nHost: a\r\n\r\n",
           arguments[2]);
  int epoll = epoll_create1(0), opened = 0;
  for (int i = 0; i < streams; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = connected()};
    send_all(event.data.fd, request);
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, event.data.fd, &event) != 0) fail("epoll_ctl");
    if (i % 100 == 99) opened += await(epoll, i + 1 - opened, now() + 10000000000LL, NULL);
  }
  opened += await(epoll, streams - opened, now() + 30000000000LL, NULL);
  if (opened != streams) {
    fprintf(stderr, "%d of %d streams began\n", opened, streams);
    return 1;
  }
  puts("open");
  fflush(stdout);
  await(epoll, 1, now() + idle * 1000000000LL, NULL);
  puts("idle");
  fflush(stdout);

  int editor = connected();
  const char *body = "{\"updates\": [{\"insert\": {\"at\": [0, 0], \"items\": 1}}]}";
  snprintf(request, sizeof(request),
           "POST /layouts/%s/updates HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
           "Content-Length: %zu\r\n\r\n%s",
           arguments[2], strlen(body), body);
  int64_t *latencies = malloc(sizeof(int64_t) * streams * (changes + 1));
  int64_t last = 0;
  int total = 0;
  for (int change = 0; change < changes; change++) {
    int64_t start = now();
    send_all(editor, request);
    int got = await(epoll, streams, start + 10000000000LL, latencies + total);
    if (got != streams) {
      fprintf(stderr, "%d of %d streams had the event\n", got, streams);
      return 1;
    }
    last += latencies[total + got - 1] - start;
    for (int i = 0; i < got; i++) latencies[total++] -= start;
    char answer[8192];
    if (recv(editor, answer, sizeof(answer), 0) <= 0) fail("recv");
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
  }
  qsort(latencies, total, sizeof(int64_t), ascending);
  printf("%ld %ld %ld %ld\n", (long)latencies[total / 2] / 1000,
         (long)latencies[(size_t)total * 99 / 100] / 1000, (long)latencies[total - 1] / 1000,
         (long)(last / changes / 1000));
  return 0;
}
