import CGnuTLS
import MicroHTTP

/// What a page of this server may load and run: files of this server, and its own scripts and
/// styles.
enum PagePolicy {
  static func fields(for page: [UInt8]) -> [Response.Field] {
    let text = String(decoding: page, as: UTF8.self)
    let policy =
      "default-src 'none'; script-src 'self'\(inline("script", in: text)); "
      + "style-src 'self'\(inline("style", in: text)); img-src 'self'; font-src 'self'; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return [("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer")]
  }

  /// The hashes of what stands in elements of a tag, as CSP 3 writes them.
  private static func inline(_ tag: String, in page: String) -> String {
    page.split(separator: "<\(tag)").dropFirst()
      .map { $0.split(separator: "</\(tag)>")[0].drop { $0 != ">" }.dropFirst() }
      .filter { !$0.isEmpty }.map { " 'sha256-\(base64SHA256(of: Array($0.utf8)))'" }.joined()
  }

  private static func base64SHA256(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 33)
    let error = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
    precondition(error == 0, "gnutls_hash_fast: \(error)")
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    // Eleven groups of three bytes, of which the last has two.
    let digits = stride(from: 0, to: 33, by: 3).flatMap { at in
      let bits = digest[at..<at + 3].reduce(0) { $0 << 8 | Int($1) }
      return [18, 12, 6, 0].map { alphabet[bits >> $0 & 63] }
    }
    return String(digits.dropLast()) + "="
  }
}
