import Glibc

/// The memory that the process may use: the smallest of the machine's memory, the limits of its
/// control groups, and its own limit of address space.
enum MachineMemory {
  static var limit: Int {
    let physical = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    return ([physical] + [addressSpace].compactMap { $0 } + controlGroups).min() ?? .max
  }

  private static var addressSpace: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  /// The limits of the process's group and of all groups above it, in versions 1 and 2 of control
  /// groups.
  private static var controlGroups: [Int] {
    guard let text = read("/proc/self/cgroup") else { return [] }
    return limits(ofGroups: text, reading: read)
  }

  /// - Parameters:
  ///   - groups: The text of `/proc/self/cgroup`, lines of `number:controllers:path`.
  ///   - read: Returns the text of a file, if it exists.
  static func limits(ofGroups groups: String, reading read: (String) -> String?) -> [Int] {
    var limits: [Int] = []
    for line in groups.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isMemory = parts[1].split(separator: ",").contains("memory")
      guard parts[1].isEmpty || isMemory else { continue }
      let root = isMemory ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup"
      let file = isMemory ? "memory.limit_in_bytes" : "memory.max"
      var path = parts[2]
      while true {
        let folder = path == "/" ? "" : path
        if let limit = read("\(root)\(folder)/\(file)").flatMap({ Int($0.prefix { $0.isNumber }) })
        {
          limits.append(limit)
        }
        guard let slash = path.lastIndex(of: "/"), path != "/", !path.isEmpty else { break }
        path = path[..<slash].isEmpty ? "/" : path[..<slash]
      }
    }
    return limits
  }

  private static func read(_ path: String) -> String? {
    FileContents.bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
