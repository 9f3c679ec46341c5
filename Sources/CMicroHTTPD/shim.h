/*
 * The one place that knows which parts of libmicrohttpd Swift can't reach by itself.
 *
 * Swift imports no variadic function and no function that glibc hides behind _GNU_SOURCE; each
 * wrapper below says which of the two it is for. Everything else is called from Swift directly.
 */
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Where the library's own messages go. It must outlive the daemon. */
struct micro_log_sink {
  void (*write)(void *context, const char *message);
  void *context;
};

/* What a daemon is started with; the callbacks all get `context`. */
struct micro_daemon_options {
  unsigned int flags;
  unsigned int threads;
  size_t connection_memory_limit;
  unsigned int connection_limit;
  const char *certificate; /* PEM, NULL without TLS */
  const char *private_key;
  void *context;
  struct micro_log_sink *log;
  MHD_AccessHandlerCallback handle;
  void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection_changed;
};

/* MHD_LogCallback takes a va_list, which Swift can't receive in a C callback. */
static void micro_log(void *sink, const char *format, va_list arguments) {
  struct micro_log_sink *log = (struct micro_log_sink *)sink;
  char message[512];
  vsnprintf(message, sizeof(message), format, arguments);
  log->write(log->context, message);
}

/* Leaves %HH alone: paths are decoded by their reader, after they were split. */
static size_t micro_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

/* MHD_start_daemon is variadic. The logger comes first, or early messages go to stderr. */
static inline struct MHD_Daemon *micro_start_daemon(const struct micro_daemon_options *options) {
  struct MHD_OptionItem items[12];
  int count = 0;
#define MICRO_OPTION(option, number, pointer) \
  items[count++] = (struct MHD_OptionItem){(option), (intptr_t)(number), (void *)(pointer)}
  MICRO_OPTION(MHD_OPTION_NOTIFY_COMPLETED, options->completed, options->context);
  MICRO_OPTION(MHD_OPTION_NOTIFY_CONNECTION, options->connection_changed, options->context);
  MICRO_OPTION(MHD_OPTION_URI_LOG_CALLBACK, options->begin, options->context);
  MICRO_OPTION(MHD_OPTION_UNESCAPE_CALLBACK, micro_keep_escapes, NULL);
  MICRO_OPTION(MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory_limit, NULL);
  MICRO_OPTION(MHD_OPTION_CONNECTION_LIMIT, options->connection_limit, NULL);
  if (options->threads > 1) { /* a pool of one is refused */
    MICRO_OPTION(MHD_OPTION_THREAD_POOL_SIZE, options->threads, NULL);
  }
  if (options->certificate != NULL) {
    MICRO_OPTION(MHD_OPTION_HTTPS_MEM_CERT, 0, options->certificate);
    MICRO_OPTION(MHD_OPTION_HTTPS_MEM_KEY, 0, options->private_key);
    /* GnuTLS's own choice has TLS 1.0 and 1.1 as well, which RFC 8996 deprecates. */
    MICRO_OPTION(MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2");
  }
  MICRO_OPTION(MHD_OPTION_END, 0, NULL);
#undef MICRO_OPTION
  return MHD_start_daemon(options->flags, 0, NULL, NULL, options->handle, options->context,
                          MHD_OPTION_EXTERNAL_LOGGER, micro_log, options->log,
                          MHD_OPTION_ARRAY, items, MHD_OPTION_END);
}

/* MHD_get_connection_info is variadic. The bytes from the method to the empty line, both
   included. */
static inline size_t micro_header_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

/* MHD_get_connection_info is variadic. What MHD_OPTION_NOTIFY_CONNECTION stored. */
static inline void *micro_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/* MHD_get_connection_info is variadic. */
static inline int micro_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/* MHD_get_connection_info is variadic. A gnutls_session_t, or NULL without TLS. */
static inline void *micro_tls_session(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return info == NULL ? NULL : info->tls_session;
}

/* Of <gnutls/gnutls.h>, with what it returns instead of a count. */
extern ssize_t gnutls_record_send(void *session, const void *data, size_t size);
enum { micro_tls_again = -28, micro_tls_interrupted = -52 };


/* What has happened to the socket with a number. */
struct micro_event {
  uint64_t serial;
  bool is_gone; /* the client has ended its output, or the connection is broken */
};

enum { micro_max_events = 256 };

static inline int micro_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

/* A union that Swift fills in only with difficulty. What an eventfd has to read is also told. */
static inline int micro_watch(int epoll, int descriptor, uint64_t serial, bool is_new,
                              uint32_t events) {
  struct epoll_event event = {.events = events, .data = {.u64 = serial}};
  return epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}
static const uint32_t micro_when_gone = EPOLLRDHUP;
static const uint32_t micro_when_gone_or_writable = EPOLLRDHUP | EPOLLOUT;
static const uint32_t micro_when_readable = EPOLLIN;

static inline void micro_unwatch(int epoll, int descriptor) {
  epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

/* `ready` has room for micro_max_events. */
static inline int micro_wait(int epoll, struct micro_event *ready, int milliseconds) {
  struct epoll_event events[micro_max_events];
  int count = epoll_wait(epoll, events, micro_max_events, milliseconds);
  for (int i = 0; i < count; i++) {
    ready[i].serial = events[i].data.u64;
    ready[i].is_gone = (events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
  }
  return count;
}

/* MHD_set_response_options is variadic. A response of unknown length is then not chunked but ended
   by closing the connection. */
static inline void micro_close_after(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/* accept4 stands behind _GNU_SOURCE. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);

static inline int micro_accept(int listener, struct sockaddr *address, socklen_t *length) {
  return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* SOCK_NONBLOCK and SOCK_CLOEXEC are not in Swift's Glibc. */
static inline int micro_stream_socket(int family, int protocol) {
  return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
}

#endif
