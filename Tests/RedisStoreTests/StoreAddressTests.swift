import TestSupport
import Testing

@testable import RedisStore

@Suite("Addresses of stores")
struct StoreAddressTests {
  @Test(
    "an address says where the store is",
    arguments: [
      ("redis://cache", StoreAddress(endpoint: .tcp(host: "cache", port: 6379))),
      (
        "redis://cache:7000/3", StoreAddress(endpoint: .tcp(host: "cache", port: 7000), database: 3)
      ),
      ("REDIS://[::1]:7000", StoreAddress(endpoint: .tcp(host: "::1", port: 7000))),
      ("redis://[::1]", StoreAddress(endpoint: .tcp(host: "::1", port: 6379))),
      (
        "redis://:s%40cret@h/0?prefix=a:",
        StoreAddress(endpoint: .tcp(host: "h", port: 6379), password: "s@cret", prefix: "a:")
      ),
      (
        "redis://me:pw@h?eviction=any",
        StoreAddress(
          endpoint: .tcp(host: "h", port: 6379), user: "me", password: "pw", allowsEviction: true)
      ),
      (
        "redis+sentinel://me:pw@a,[::1]:7000/main?db=3",
        StoreAddress(
          endpoint: .tcp(host: "a", port: 26_379), user: "me", password: "pw", database: 3,
          sentinels: StoreAddress.Sentinels(
            endpoints: [.tcp(host: "a", port: 26_379), .tcp(host: "::1", port: 7000)],
            master: "main"))
      ),
      (
        "unix:///run/redis.sock?db=2&prefix=",
        StoreAddress(endpoint: .unix(path: "/run/redis.sock"), database: 2, prefix: "")
      ),
      (
        "unix://me:pw@/run/redis.sock",
        StoreAddress(endpoint: .unix(path: "/run/redis.sock"), user: "me", password: "pw")
      ),
    ])
  func reads(_ text: String, _ expected: StoreAddress) throws {
    try same(StoreAddress(text), expected)
  }

  @Test(
    "what is no address is refused",
    arguments: [
      ("", StoreAddress.Malformed.form), ("host:6379", .form), ("http://h", .form),
      ("redis://", .form), ("redis:///0", .form), ("rediss://h", .tls), ("redis://h:0", .port),
      ("redis://h:x", .port), ("redis://h/x", .database), ("redis://h/-1", .database),
      ("redis://h?prefix={a}", .prefix), ("redis://h?prefix=a%20b", .prefix),
      ("redis://h?eviction=some", .eviction), ("redis://h?ttl=3", .parameter("ttl")),
      ("redis+sentinel://a", .sentinels), ("redis+sentinel://a,,b/m", .form),
      ("redis+sentinel://a/m/0", .sentinels), ("redis+sentinel://a:0/m", .port),
      ("redis://%zz", .encoding), ("redis://h%00", .encoding), ("unix://", .path),
      ("unix://run/redis.sock", .path),
      ("unix:///\(String(repeating: "a", count: 107))", .path),
    ])
  func refuses(_ text: String, _ expected: StoreAddress.Malformed) {
    #expect(throws: expected) { try StoreAddress(text) }
  }

  @Test("the text for logs has no password")
  func description() throws {
    let text = try StoreAddress("redis://me:secret@h:1/2?prefix=p:").description
    same(text, "redis://h:1/2?prefix=p:")
    try same(
      StoreAddress("redis+sentinel://:secret@a,b:1/m").description,
      "redis+sentinel://a:26379,b:1/m?db=0&prefix=layoutd:")
    try same(StoreAddress("unix://:secret@/s").description, "unix:///s?db=0&prefix=layoutd:")
  }

  @Test("keys are in the slots that the specification says")
  func slots() {
    // Redis cluster specification, appendix A: the CRC-16 of "123456789" is 0x31C3.
    same(HashSlot.number(of: Array("123456789".utf8)), 0x31C3 % 16_384)
    // Its section on keys hash tags: "foo" is in slot 12182.
    same(HashSlot.number(of: Array("foo".utf8)), 12_182)
  }

  @Test("bytes are unpacked as they were packed", arguments: [0, 1, 511, 512, 100_000])
  func packs(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let packed = PackedBytes.pack(bytes)
    same(PackedBytes.unpack(packed, limit: 1 << 20), bytes)
    #expect(count < 512 || packed.count < bytes.count)
    same(PackedBytes.unpack(Array(packed.dropLast()), limit: 1 << 20), nil)
    same(PackedBytes.unpack([9] + packed.dropFirst(), limit: 1 << 20), nil)
  }

  @Test("what a server says of itself is found")
  func policies() {
    let information = "# Memory\r\nused_memory:1\r\nmaxmemory_policy:allkeys-lru\r\nx:y\r\n"
    same(StoreCheck.value(of: "maxmemory_policy", in: information), "allkeys-lru")
    same(StoreCheck.value(of: "maxmemory", in: information), nil)
    #expect(StoreCheck.takesChanges("role:master\r\ncluster_enabled:0\r\n"))
    #expect(!StoreCheck.takesChanges("role:slave\r\ncluster_enabled:0\r\n"))
    #expect(StoreCheck.takesChanges("role:slave\r\ncluster_enabled:1\r\n"))
  }
}
