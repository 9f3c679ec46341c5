#include "cembedded.h"

#include <string.h>

// `#embed` is in C23. Swift's clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

/// All files, each as a text that ends with a zero. A new file needs three lines here.
static const struct {
  const char *path;
  const uint8_t *text;
} files[] = {
  {"openapi.yaml", (const uint8_t[]){
#embed "../../openapi.yaml" suffix(, 0)
  }},
  {"index.html", (const uint8_t[]){
#embed "../Web/Viewer/index.html" suffix(, 0)
  }},
  {"client/cbor.js", (const uint8_t[]){
#embed "../Web/Client/cbor.js" suffix(, 0)
  }},
  {"client/layoutd.d.ts", (const uint8_t[]){
#embed "../Web/Client/layoutd.d.ts" suffix(, 0)
  }},
  {"client/layoutd.js", (const uint8_t[]){
#embed "../Web/Client/layoutd.js" suffix(, 0)
  }},
  {"client/layoutd.min.js", (const uint8_t[]){
#embed "../Web/Client/layoutd.min.js" suffix(, 0)
  }},
  {"viewer/address.js", (const uint8_t[]){
#embed "../Web/Viewer/address.js" suffix(, 0)
  }},
  {"viewer/collection.js", (const uint8_t[]){
#embed "../Web/Viewer/collection.js" suffix(, 0)
  }},
  {"viewer/curl.js", (const uint8_t[]){
#embed "../Web/Viewer/curl.js" suffix(, 0)
  }},
  {"viewer/dom.js", (const uint8_t[]){
#embed "../Web/Viewer/dom.js" suffix(, 0)
  }},
  {"viewer/edits.js", (const uint8_t[]){
#embed "../Web/Viewer/edits.js" suffix(, 0)
  }},
  {"viewer/element.js", (const uint8_t[]){
#embed "../Web/Viewer/element.js" suffix(, 0)
  }},
  {"viewer/examples.js", (const uint8_t[]){
#embed "../Web/Viewer/examples.js" suffix(, 0)
  }},
  {"viewer/format.js", (const uint8_t[]){
#embed "../Web/Viewer/format.js" suffix(, 0)
  }},
  {"viewer/icon.svg", (const uint8_t[]){
#embed "../Web/Viewer/icon.svg" suffix(, 0)
  }},
  {"viewer/kinds.js", (const uint8_t[]){
#embed "../Web/Viewer/kinds.js" suffix(, 0)
  }},
  {"viewer/minimap.js", (const uint8_t[]){
#embed "../Web/Viewer/minimap.js" suffix(, 0)
  }},
  {"viewer/notice.js", (const uint8_t[]){
#embed "../Web/Viewer/notice.js" suffix(, 0)
  }},
  {"viewer/numbers.js", (const uint8_t[]){
#embed "../Web/Viewer/numbers.js" suffix(, 0)
  }},
  {"viewer/options.js", (const uint8_t[]){
#embed "../Web/Viewer/options.js" suffix(, 0)
  }},
  {"viewer/palette.js", (const uint8_t[]){
#embed "../Web/Viewer/palette.js" suffix(, 0)
  }},
  {"viewer/pane.js", (const uint8_t[]){
#embed "../Web/Viewer/pane.js" suffix(, 0)
  }},
  {"viewer/picture.js", (const uint8_t[]){
#embed "../Web/Viewer/picture.js" suffix(, 0)
  }},
  {"viewer/playground.js", (const uint8_t[]){
#embed "../Web/Viewer/playground.js" suffix(, 0)
  }},
  {"viewer/queries.js", (const uint8_t[]){
#embed "../Web/Viewer/queries.js" suffix(, 0)
  }},
  {"viewer/server.js", (const uint8_t[]){
#embed "../Web/Viewer/server.js" suffix(, 0)
  }},
  {"viewer/stage.js", (const uint8_t[]){
#embed "../Web/Viewer/stage.js" suffix(, 0)
  }},
  {"viewer/viewer.css", (const uint8_t[]){
#embed "../Web/Viewer/viewer.css" suffix(, 0)
  }},
  {"viewer/viewer.js", (const uint8_t[]){
#embed "../Web/Viewer/viewer.js" suffix(, 0)
  }},
};

cembedded_file cembedded_file_at(size_t index) {
  if (index >= sizeof files / sizeof *files) return (cembedded_file){};
  const uint8_t *text = files[index].text;
  return (cembedded_file){files[index].path, text, strlen((const char *)text)};
}
