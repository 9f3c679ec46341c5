import Foundation
import TestSupport

/// What fills one of the places that store something, named as in Documentation/bounds.md.
enum Filling: String, CaseIterable {
  case layouts, views, options, frames, behind, updates, settings, search, streams, events
  case uploads, slow, connections, strange, copies, texts, arranged, found

  func fill(_ server: FilledServer) throws {
    switch self {
    case .layouts:
      try server.fill(20, upTo: 100) { _ = try server.prepare("grid", Self.named($0)) }
    case .texts:
      // Without this font nothing is measured, and nothing is kept.
      try server.fill(20, upTo: 300) { number in
        let words = (0..<4000).map { "w\(number)x\($0)" }.joined(separator: " ")
        try server.ask(
          "POST", "/text/measure",
          #"{"font": "dejavusans", "size": \#(number + 1), "lineHeight": 20, "width": 300, "#
            + #""texts": ["\#(words)"]}"#, expecting: [200, 422])
        try server.ask(
          "POST", "/layouts/list/prepare",
          #"{"bounds": {"width": 300}, "options": {"card": {"parts": [{"text": "t", "#
            + #""font": "dejavusans", "size": \#(number + 1), "lineHeight": 20}]}}, "#
            + #""sections": [{"items": {"text": {"t": ["\#(words)"]}}}]}"#,
          expecting: [201, 413, 422])
      }
    case .views:
      let path = try server.prepare("grid", Self.small)
      try server.fill(1000, upTo: 5000) {
        try server.ask("POST", "\(path)/views", #"{"bounds": {"width": \#($0 + 100)}}"#)
      }
    case .options:
      let path = try server.prepare("grid", Self.small)
      try server.fill(20, upTo: 200) {
        let view = try server.ask(
          "POST", "\(path)/views", #"{"kind": "group", "options": {"group": \#(Self.group($0))}}"#)
        // Every second one is deleted: then nothing is kept.
        if $0 % 2 == 0, let path = view.headers["location"] { try server.delete(path) }
      }
    case .frames:
      let path = try server.prepare("waterfall", Self.sized(30_000, 50))
      try server.fill(20, upTo: 200) {
        try server.ask("POST", "\(path)/views", #"{"bounds": {"width": \#($0 + 100)}}"#)
      }
    case .found:
      let texts = (0..<20_000).map { "\"gull \($0)\"" }.joined(separator: ",")
      let path = try server.prepare(
        "list",
        #"{"bounds": {"width": 320}, "sections": [{"items": {"text": {"t": [\#(texts)]}}}]}"#)
      try server.fill(20, upTo: 200) {
        try server.ask("GET", "\(path)/find?text=gull%20\($0 % 10)&limit=\($0)", "")
      }
    case .arranged:
      let stars = (0..<Self.manyItems).map { "\($0 * 7919 % 10_007)" }.joined(separator: ",")
      let path = try server.prepare(
        "grid",
        #"{"bounds": {"width": 320}, "sections": [{"items": {"keys": {"a": [\#(stars)]}}}]}"#)
      try server.fill(6, upTo: 80) {
        try server.ask(
          "POST", "\(path)/views",
          #"{"arrange": {"where": [{"key": "a", "from": \#($0)}], "sortBy": [{"key": "a"}]}}"#)
      }
    case .behind:
      let path = try server.prepare("grid", Self.sized(Self.manyItems, 50))
      try server.fill(6, upTo: 80) {
        try server.ask("POST", "\(path)/views", #"{"bounds": {"width": \#($0 + 100)}}"#)
        try server.ask("POST", "\(path)/updates", Self.replacement(Self.sizes(Self.manyItems, $0)))
      }
    case .updates:
      let path = try server.prepare("grid", Self.sized(Self.manyItems, 50))
      try server.fill(6, upTo: 80) {
        try server.ask("POST", "\(path)/updates", Self.replacement(Self.sizes(Self.manyItems, $0)))
        try server.ask("PATCH", path, #"{"bounds": {"width": \#($0 + 100)}}"#)
      }
    case .settings:
      let path = try server.prepare(
        "group",
        #"{"bounds": {"width": 320}, "options": {"group": \#(Self.group(0))}, "#
          + #""sections": [{"items": 1}, {"items": 1}]}"#)
      try server.fill(10, upTo: 80) { number in
        let updates = (0...1).map {
          #"{"setSection": {"at": \#($0), "options": {"group": \#(Self.group(2 * number + $0))}}}"#
        }
        try server.ask(
          "POST", "\(path)/updates", #"{"updates": [\#(updates.joined(separator: ","))]}"#)
      }
    case .search:
      try server.fill(5, upTo: 50) {
        let path = try server.prepare("grid", Self.named($0))
        let view = try server.ask("POST", "\(path)/views", #"{"bounds": {"width": 99}}"#)
        guard let view = view.headers["location"],
          try server.get("\(view)/items?id=\($0)-7").status == 200
        else { throw RawClient.Broken("nothing is found through a view") }
        // Whoever searches keeps nobody from a change.
        try server.ask("POST", "\(path)/updates", Self.replacement("{\(Self.ids($0 + 1))}"))
      }
    case .streams, .events:
      let paths = try (0..<64).map { _ in try server.prepare("grid", Self.small) }
      let query = paths.map { "layout=" + $0.dropFirst("/layouts/".count) }
      // None of them ever reads.
      try server.fill(100, upTo: 800) { _ in
        let stream = try server.connect()
        stream.send("GET /events?\(query.joined(separator: "&")) HTTP/1.1\r\nHost: a\r\n\r\n")
        server.others.append(stream)
      }
      if self == .events {
        try server.fill(1, upTo: 10) { step in
          for path in paths {
            try server.ask("PATCH", path, #"{"bounds": {"width": \#(200 + step)}}"#)
          }
        }
      }
      server.others = []
    case .uploads:
      // Half a body each.
      let body = Self.sized(Self.manyItems * 4, 50)
      let request = FilledServer.request("POST", "/layouts/grid/prepare", Array(body.utf8))
      try server.fill(20, upTo: 100) { _ in
        let client = try server.connect()
        client.send(Array(request.prefix(request.count / 2)))
        server.others.append(client)
      }
      server.others = []
    case .slow:
      let path = try server.prepare("grid", Self.named(0))
      try server.fill(20, upTo: 150) { _ in
        let client = try server.connect()
        client.send(
          "GET \(path)/elements?rect=0,0,1e9,1e9&limit=100000 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.others.append(client)
      }
      server.others = []
    case .connections:
      try server.fill(300, upTo: 300) { _ in
        let client = try server.connect()
        client.send("GET /healthz HTTP/1.1\r\nX: \(String(repeating: "x", count: 4000))\r\n")
        server.others.append(client)
      }
      server.others = []
    case .strange:
      try server.fill(100, upTo: 1000) {
        _ = try server.get("/layouts/\($0)/elements?rect=0,0,\($0),1")
        _ = try server.get("/\($0)/\($0)")
      }
    case .copies: try fillCopies()
    }
  }

  /// Layouts that had to go come back from a store, again and again.
  private func fillCopies() throws {
    let redis = try RedisServer()
    defer { redis.kill() }
    let server = try FilledServer(["--store", "unix://\(redis.socket)"])
    defer { server.stop() }
    let paths = try (0..<20).map { try server.prepare("grid", Self.named($0)) }
    try server.fill(20, upTo: 100) {
      let answer = try server.get("\(paths[$0 % 20])/elements?rect=0,0,99,99")
      guard answer.status == 200 else { throw RawClient.Broken("\(answer.status)") }
    }
    server.check(after: self)
  }

  // MARK: Bodies

  private static let small = #"{"bounds": {"width": 320}, "sections": [{"items": 10}]}"#
  /// Their heights take more than a megabyte.
  private static let manyItems = 140_000

  /// 3,000 ids of 100 bytes each; the item 7 has a short one.
  private static func ids(_ seed: Int) -> String {
    let rest = String(repeating: "x", count: 92)
    let ids = (0..<3000).map { "\"\(seed)-\($0)\($0 == 7 ? "" : rest)\"" }
    return #""id": [\#(ids.joined(separator: ","))]"#
  }

  private static func named(_ seed: Int) -> String {
    #"{"bounds": {"width": 320}, "sections": [{"items": {\#(ids(seed))}}]}"#
  }

  private static func sizes(_ count: Int, _ height: Int) -> String {
    let heights = Array(repeating: "\(height % 90 + 10)", count: count)
    return #"{"height": [\#(heights.joined(separator: ","))]}"#
  }

  private static func sized(_ count: Int, _ height: Int) -> String {
    #"{"bounds": {"width": 320}, "sections": [{"items": \#(sizes(count, height))}]}"#
  }

  private static func replacement(_ items: String) -> String {
    #"{"updates": [{"replace": {"at": [0, 0], "items": \#(items)}}]}"#
  }

  /// A group of 999 subitems.
  private static func group(_ seed: Int) -> String {
    let subitem = #"{"width": {"flexible": 1}, "height": {"fractionalHeight": 1}}"#
    let subitems = Array(repeating: subitem, count: 999).joined(separator: ",")
    return #"{"direction": "horizontal", "width": {"absolute": \#(2000 + seed)}, "height": "#
      + #"{"absolute": 50}, "subitems": [\#(subitems)]}"#
  }
}
