import TestSupport
import Testing

@testable import layoutd

@Suite("The memory there is")
struct MachineMemoryTests {
  @Test("control groups limit it, one's own and those above, in both versions")
  func controlGroups() {
    let files = [
      "/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "300\n",
      "/sys/fs/cgroup/memory.max": "900\n",
      "/sys/fs/cgroup/memory/c/memory.limit_in_bytes": "500\n",
    ]
    let groups = "3:cpu,memory:/c\n2:cpuset:/a\n0::/a/b\n"
    let limits = MachineMemory.limits(ofGroups: groups) { files[$0] }
    same(limits, [500, 300, 900])
    same(MachineMemory.limits(ofGroups: "broken") { _ in "7" }, [])
    #expect(MachineMemory.limit > 0)
  }

  @Test("a prepare that there is no memory for is refused, and the layouts stay")
  func addressSpace() throws {
    let program = try Program()
    defer { program.stop() }
    let client = try RawClient(port: program.port, seconds: 60)
    func prepare(_ kind: String, items: Int) throws -> RawClient.Answer {
      let body = #"{"bounds": {"width": 320}, "sections": [{"items": \#(items)}]}"#
      client.send(
        "POST /layouts/\(kind)/prepare HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      return try client.answer()
    }
    let path = try #require(try prepare("grid", items: 9).headers["location"])
    try program.limitAddressSpace(toMore: 300_000_000)
    let refused = try prepare("justified", items: 10_000_000)
    same(refused.status, 503)
    #expect(refused.body.contains("/problems/buffers-full"))
    #expect(refused.headers["retry-after"] != nil)
    try same(prepare("grid", items: 9).status, 201)
    client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    try same(client.answer().status, 200)
    #expect(program.isRunning)
  }
}
