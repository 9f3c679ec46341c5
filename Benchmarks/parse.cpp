// The rival that prepare requests are measured against: a program on libmicrohttpd that receives
// the same body into one buffer and runs simdjson's on-demand parser over it, and does nothing
// with the numbers but add them up.
//
//     parse PORT
//
//     POST /rows     {"sections": [{"items": [{"height": 123.45}, …]}]}
//     POST /columns  {"sections": [{"items": {"height": [123.45, …]}}]}
//     POST /parents  {"nodes": {"parent": [null, 0, …]}}
//
// Answers with the sum. Listens on 127.0.0.1 until it is killed.
#include <arpa/inet.h>
#include <microhttpd.h>
#include <simdjson.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

using namespace simdjson;

namespace {

/// The body of a request while it comes in.
struct Upload {
  std::unique_ptr<char[]> bytes;
  size_t capacity = 0;
  size_t count = 0;

  explicit Upload(size_t length) : capacity(length) {
    // Uninitialised: the pages are first touched when the body arrives.
    bytes.reset(new char[length + SIMDJSON_PADDING]);
  }
};

double sum_of_rows(ondemand::document &document) {
  double sum = 0;
  for (ondemand::object section : document["sections"]) {
    for (ondemand::object item : section["items"]) sum += item["height"].get_double();
  }
  return sum;
}

double sum_of_columns(ondemand::document &document) {
  double sum = 0;
  for (ondemand::object section : document["sections"]) {
    for (ondemand::value height : section["items"]["height"]) sum += height.get_double();
  }
  return sum;
}

double sum_of_parents(ondemand::document &document) {
  double sum = 0;
  for (ondemand::value parent : document["nodes"]["parent"]) {
    if (!parent.is_null()) sum += double(int64_t(parent.get_int64()));
  }
  return sum;
}

double sum(const char *url, const Upload &upload) {
  ondemand::parser parser;
  ondemand::document document =
    parser.iterate(upload.bytes.get(), upload.count, upload.capacity + SIMDJSON_PADDING);
  if (!strcmp(url, "/rows")) return sum_of_rows(document);
  if (!strcmp(url, "/columns")) return sum_of_columns(document);
  if (!strcmp(url, "/parents")) return sum_of_parents(document);
  throw std::invalid_argument("no such path");
}

MHD_Result respond(MHD_Connection *connection, unsigned status, const std::string &text) {
  MHD_Response *response =
    MHD_create_response_from_buffer(text.size(), (void *)text.data(), MHD_RESPMEM_MUST_COPY);
  MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

MHD_Result answer(
  void *, MHD_Connection *connection, const char *url, const char *, const char *,
  const char *data, size_t *size, void **context
) {
  auto *upload = static_cast<Upload *>(*context);
  if (!upload) {
    const char *length =
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    *context = new Upload(length ? strtoull(length, nullptr, 10) : 0);
    return MHD_YES;
  }
  if (*size) {
    if (*size > upload->capacity - upload->count) return MHD_NO;
    memcpy(upload->bytes.get() + upload->count, data, *size);
    upload->count += *size;
    *size = 0;
    return MHD_YES;
  }
  try {
    return respond(connection, MHD_HTTP_OK, std::to_string(sum(url, *upload)) + "\n");
  } catch (const std::exception &error) {
    return respond(connection, MHD_HTTP_BAD_REQUEST, std::string(error.what()) + "\n");
  }
}

void completed(void *, MHD_Connection *, void **context, MHD_RequestTerminationCode) {
  delete static_cast<Upload *>(*context);
  *context = nullptr;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: parse PORT\n", stderr);
    return 64;
  }
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(uint16_t(atoi(argv[1])));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  MHD_Daemon *daemon = MHD_start_daemon(
    MHD_USE_EPOLL_INTERNAL_THREAD, 0, nullptr, nullptr, answer, nullptr, MHD_OPTION_SOCK_ADDR,
    &address, MHD_OPTION_THREAD_POOL_SIZE, 2u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, size_t(32768),
    MHD_OPTION_NOTIFY_COMPLETED, completed, nullptr, MHD_OPTION_END);
  if (!daemon) {
    perror("MHD_start_daemon");
    return EXIT_FAILURE;
  }
  for (;;) pause();
}
