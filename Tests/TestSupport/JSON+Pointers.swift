extension JSON {
  /// Without the members and elements that JSON pointers name; where there are none, nothing
  /// changes.
  public func removing(pointers: [String]) -> JSON {
    let paths = pointers.map { pointer in
      pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
        String($0).replacing("~1", with: "/").replacing("~0", with: "~")
      }
    }
    return removing(paths: paths.filter { !$0.isEmpty })
  }

  private func removing(paths: [[String]]) -> JSON {
    guard !paths.isEmpty else { return self }
    func rest(_ name: String) -> [[String]]? {
      let rests = paths.filter { $0[0] == name }.map { Array($0.dropFirst()) }
      return rests.contains([]) ? nil : rests
    }
    switch self {
    case .object(let members):
      var kept: [String: JSON] = [:]
      for (name, value) in members {
        if let rest = rest(name) { kept[name] = value.removing(paths: rest) }
      }
      return .object(kept)
    case .array(let elements):
      return .array(
        elements.enumerated().compactMap { index, value in
          rest("\(index)").map { value.removing(paths: $0) }
        })
    default: return self
    }
  }
}
