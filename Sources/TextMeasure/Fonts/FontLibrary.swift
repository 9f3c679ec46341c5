import CHarfBuzz
import CICU
public import CollectionLayout
import Glibc
import Synchronization

/// The fonts below some folders, by name.
///
/// A font's file is opened when it is first used. What is kept of fonts and styles is bounded.
public final class FontLibrary: Sendable {
  /// A font as a client sees it.
  public struct Entry: Sendable {
    /// The file's name without its ending, in lower case.
    public var name: String
    public var family: String
    public var style: String
    public var weight: Int
    /// The weights of a variable font, as CSS has them in its `@font-face`.
    public var weights: ClosedRange<Double>?
    public var isItalic: Bool
    /// The SHA-256 of the file, in hexadecimal digits.
    public var sha256: String
    public var bytes: Int
    public var format: Format
    public var path: String
    /// The state of the file when it was read.
    let stamp: FontBytes.Stamp?
  }

  public enum Format: Sendable {
    case openType, trueType, collection, woff2
  }

  /// Why there is no style.
  public enum Fault: Error, Equatable {
    /// There is no font of this name.
    case unknownFont(String)
    /// The font of this name has one weight.
    case fixedWeight(String)
  }

  /// The most fonts that are found; more are told in the log and left out.
  public static let maxFonts = 10_000
  /// The most folders below each other.
  private static let maxDepth = 16
  /// The bytes of fonts from which on those are forgotten that nobody uses.
  static let maxIdleBytes = 32 << 20

  /// HarfBuzz's and ICU's names and versions, as in `harfbuzz 6.0.0, icu 72.1`.
  public static let engine =
    "harfbuzz \(String(cString: hb_version_string())), icu \(String(cString: cicu_version()))"

  private struct State {
    var files = SharedObjects<String, FontFile>(holding: 64)
    var joinsSpaces: [String: Bool] = [:]
    var styles = SharedObjects<ParagraphStyle, PreparedStyle>(holding: 256)
    var nextNumber: UInt32 = 1
    /// When fonts take so many bytes, those that nobody uses are forgotten.
    var byteLimit = FontLibrary.maxIdleBytes
  }

  private let folders: [String]
  /// Fonts that lie in no file, by name.
  private let memory: [String: [UInt8]]
  private let tell: @Sendable (String) -> Void
  /// Where the file of each font lies; `nil` until somebody asks.
  private let found = Mutex<[String: String]?>(nil)
  private let state = Mutex(State())
  private let fontMemory = FontMemory()
  let known = Mutex<[Entry]?>(nil)
  private let benches = Mutex<[IdleWorkbench]>([])

  /// The names of all fonts, sorted.
  public var names: [String] { paths.keys.sorted() }
  public var isEmpty: Bool { memory.isEmpty && paths.isEmpty }

  /// - Parameters:
  ///   - folders: Where fonts are looked for, when somebody first asks for one. Of several with one
  ///     name the first counts, by the order of the folders, then of the paths.
  ///   - tell: Is called with a sentence for each file or folder that is left out.
  public init(folders: [String], tell: @escaping @Sendable (String) -> Void = { _ in }) {
    (self.folders, self.tell, memory) = (folders, tell, [:])
  }

  /// Fonts that lie in no file, by name; for tests.
  package init(memory: [String: [UInt8]]) {
    (folders, tell, self.memory) = ([], { _ in }, memory)
  }

  /// Where the file of each font lies, by the font's name.
  ///
  /// - Complexity: O(number of files) for the first call, which opens each once; then O(1).
  var paths: [String: String] {
    found.withLock { found in
      if let found { return found }
      let paths = findPaths()
      found = paths
      return paths
    }
  }

  private func findPaths() -> [String: String] {
    var paths: [String: String] = [:]
    for folder in folders {
      let found = Self.fontPaths(below: folder, tell)
      for path in found.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        let name = Self.name(of: path)
        guard paths[name] == nil else { continue }
        guard paths.count < Self.maxFonts else {
          tell("\(path) is left out: there are more than \(Self.maxFonts) fonts")
          break
        }
        do throws(FontFile.Fault) {
          try FontFile.check(path: path)
          paths[name] = path
        } catch {
          tell("\(path) is left out: \(error)")
        }
      }
    }
    return paths
  }

  private static func fontPaths(below folder: String, _ tell: (String) -> Void) -> [String] {
    var found: [String] = []
    func walk(_ folder: String, _ depth: Int) {
      guard depth < maxDepth else { return tell("\(folder) is left out: it lies too deep") }
      guard let directory = opendir(folder) else {
        return tell("\(folder) cannot be read: \(String(cString: strerror(errno)))")
      }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard !name.hasPrefix(".") else { continue }
        let path = folder + "/" + name
        var status = stat()
        // A link to a folder is not followed, so there is no way round.
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          walk(path, depth + 1)
        } else if format(of: path) != nil {
          found.append(path)
        }
      }
    }
    walk(folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder, 0)
    return found
  }

  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    return String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)]).lowercased()
  }

  static func format(of path: String) -> Format? {
    switch path.split(separator: ".").last?.lowercased() {
    case "otf": .openType
    case "ttf": .trueType
    case "ttc": .collection
    case "woff2": .woff2
    default: nil
    }
  }

  // MARK: Styles

  /// A style with its fonts.
  ///
  /// - Throws: ``Fault`` for the first font that is not there, or cannot be read any more, or has
  ///   no other weights.
  public func prepare(_ style: ParagraphStyle) throws(Fault) -> PreparedStyle {
    var style = style
    style.language = TextLanguage.known(style.language)
    if let known = state.withLock({ $0.styles[style] }) { return known }
    forgetIdleFonts()
    var files: [FontFile] = []
    var joins = false
    for name in style.fonts {
      let file = try file(name)
      guard style.weight == 400 || file.weights != nil else { throw .fixedWeight(name) }
      files.append(file)
      joins = joinsSpaces(name, file) || joins
    }
    let fonts = files.map {
      ScaledFont($0, size: style.size, weight: style.weight, language: style.language)
    }
    return state.withLock { state in
      if let known = state.styles[style] { return known }
      let prepared = PreparedStyle(
        style, fonts: fonts, number: state.nextNumber, shapesWords: !joins)
      state.nextNumber += 1
      state.styles.insert(prepared, style)
      return prepared
    }
  }

  /// Makes room for more fonts. Fonts that layouts use stay, however many they are. So the next
  /// time is when as many bytes came to those.
  private func forgetIdleFonts() {
    // They are freed here, where nobody waits for the lock.
    guard takeIdleFonts() != nil else { return }
    state.withLock { $0.byteLimit = fontMemory.bytes + Self.maxIdleBytes }
  }

  /// What may go; `nil` if fonts do not take too much.
  private func takeIdleFonts() -> (styles: [PreparedStyle], files: [FontFile])? {
    state.withLock { state in
      guard fontMemory.bytes > state.byteLimit else { return nil }
      // Until it is known what remains, nobody else looks.
      state.byteLimit = .max
      return (state.styles.forget(), state.files.forget())
    }
  }

  /// Whether a style with its fonts is there already.
  public func knows(_ style: ParagraphStyle) -> Bool {
    var style = style
    style.language = TextLanguage.known(style.language)
    return state.withLock { $0.styles[style] != nil }
  }

  private func file(_ name: String) throws(Fault) -> FontFile {
    if let file = state.withLock({ $0.files[name] }) { return file }
    let opened =
      memory[name].map { try? FontFile(bytes: $0, memory: fontMemory) }
      ?? paths[name].map { try? FontFile(path: $0, memory: fontMemory) }
    guard let file = opened ?? nil else { throw .unknownFont(name) }
    return state.withLock { state in
      if let known = state.files[name] { return known }
      state.files.insert(file, name)
      return file
    }
  }

  private func joinsSpaces(_ name: String, _ file: FontFile) -> Bool {
    if let known = state.withLock({ $0.joinsSpaces[name] }) { return known }
    let joins = ScaledFont.joinsSpaces(file)
    state.withLock { $0.joinsSpaces[name] = joins }
    return joins
  }

  // MARK: Workbenches

  /// Calls `body` with a workbench that nobody else uses meanwhile.
  public func withWorkbench<R, E: Error>(
    _ body: (TextWorkbench) throws(E) -> R
  ) throws(E) -> R {
    let idle = benches.withLock { $0.popLast() } ?? IdleWorkbench(bench: TextWorkbench())
    defer { benches.withLock { $0.append(idle) } }
    return try body(idle.bench)
  }
}

/// A workbench that waits for a user.
///
/// `@unchecked Sendable`: it is taken out of the list by the one thread that uses it.
private struct IdleWorkbench: @unchecked Sendable {
  let bench: TextWorkbench
}
