import Glibc

extension Method {
  /// A method as it was sent; the usual ones cost no allocation, nor do others up to 15 bytes.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    func spells(_ text: StaticString) -> Bool {
      memcmp(bytes.baseAddress!, text.utf8Start, bytes.count) == 0
    }
    switch bytes.count {
    case 3 where spells("GET"): self = .get
    case 3 where spells("PUT"): self = .put
    case 4 where spells("POST"): self = .post
    case 4 where spells("HEAD"): self = .head
    case 5 where spells("PATCH"): self = .patch
    case 6 where spells("DELETE"): self = .delete
    case 7 where spells("OPTIONS"): self = .options
    default: self.init(rawValue: String(ascii: bytes))
    }
  }
}
