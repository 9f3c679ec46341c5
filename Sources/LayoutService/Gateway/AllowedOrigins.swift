/// The web pages that may send credentials and read the answers.
public struct AllowedOrigins: Equatable, Sendable {
  private let names: NamePatterns

  /// Reads origins, separated by commas. `https://*.example.com` stands for all names below
  /// `example.com`. `nil` if one is in a form that no browser sends.
  public init?(_ text: String) {
    var origins: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let origin = String(part.withoutBlanksAround())
      // A browser knows of no name that is only an asterisk, so it would allow all.
      let name = origin.replacing("://*.", with: "://", maxReplacements: 1)
      guard CORSPolicy.isOrigin(name), !name.contains("*") else { return nil }
      origins.append(origin)
    }
    names = NamePatterns(origins)
  }

  func contains(_ origin: String) -> Bool { names.contains(origin) }
}
