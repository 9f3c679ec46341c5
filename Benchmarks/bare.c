// The limit that queries are measured against: libmicrohttpd as the server uses it (epoll threads
// in a pool, an acceptor of its own, the same memory per connection, one response per answer with
// the same header fields), answering ready bytes whatever it is asked.
//
//     bare PORT THREADS BYTES [STATUS]
//
// THREADS should be the number that serves it best: one a processor. Two, as the server has, make
// 64,000 requests a second instead of 67,000 on two processors when nothing else runs.
//
// A 304 has no content but says that the 200 would have so many BYTES, as the server's does.
//
// Listens on 127.0.0.1 until it is killed.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { CONNECTION_MEMORY = 18 << 10 };

static char *bytes;
static size_t count;
static unsigned status = MHD_HTTP_OK;
static char entity_tag[32];

static ssize_t no_content(void *cls, uint64_t position, char *buffer, size_t capacity) {
  (void)cls, (void)position, (void)buffer, (void)capacity;
  return MHD_CONTENT_READER_END_WITH_ERROR;
}

static enum MHD_Result answer(
  void *cls, struct MHD_Connection *connection, const char *url, const char *method,
  const char *version, const char *upload, size_t *upload_size, void **context
) {
  (void)cls, (void)url, (void)method, (void)version, (void)upload;
  // An answer in the first call, before the body, would close the connection.
  static int seen;
  if (!*context) {
    *context = &seen;
    return MHD_YES;
  }
  if (*upload_size) {
    *upload_size = 0;
    return MHD_YES;
  }
  struct MHD_Response *response = status == MHD_HTTP_NOT_MODIFIED
    ? MHD_create_response_from_callback(count, 1, no_content, NULL, NULL)
    : MHD_create_response_from_buffer(count, bytes, MHD_RESPMEM_PERSISTENT);
  if (!response) return MHD_NO;
  if (status != MHD_HTTP_NOT_MODIFIED) {
    MHD_add_response_header(response, "Content-Type", "application/json");
  }
  MHD_add_response_header(response, "Cache-Control", "private, no-cache");
  MHD_add_response_header(response, "Vary", "Accept-Encoding, Origin");
  MHD_add_response_header(response, "ETag", entity_tag);
  MHD_add_response_header(response, "X-Request-Id", "f5c582221b0f7693-12345");
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

static int failed(const char *what) {
  perror(what);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fputs("usage: bare PORT THREADS BYTES [STATUS]\n", stderr);
    return 64;
  }
  unsigned threads = (unsigned)strtoul(argv[2], NULL, 10);
  count = strtoul(argv[3], NULL, 10);
  if (argc > 4) status = (unsigned)strtoul(argv[4], NULL, 10);
  bytes = malloc(count + 1);
  if (!bytes) return failed("malloc");
  memset(bytes, 'x', count);
  snprintf(entity_tag, sizeof entity_tag, "\"1.%zu\"", count);

  struct MHD_Daemon *daemon = MHD_start_daemon(
    MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC, 0, NULL, NULL, answer,
    NULL, MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
    (size_t)CONNECTION_MEMORY,
    MHD_OPTION_END);
  if (!daemon) return failed("MHD_start_daemon");

  int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_port = htons((uint16_t)strtoul(argv[1], NULL, 10)),
    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (struct sockaddr *)&address, sizeof address)) return failed("bind");
  if (listen(listener, SOMAXCONN)) return failed("listen");
  for (;;) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    int connection = accept4(listener, (struct sockaddr *)&peer, &length, SOCK_NONBLOCK);
    if (connection < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return failed("accept4");
    }
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    MHD_add_connection(daemon, connection, (struct sockaddr *)&peer, length);
  }
}
