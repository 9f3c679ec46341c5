import CollectionLayout
import WireFormat

/// Measures the memory that layouts of 1,000,000 items without ids hold, and need while they are
/// prepared.
enum MemoryBenchmark {
  private static let count = 1_000_000
  /// The limits for a waterfall, in bytes per element: held, and at the peak of the prepare.
  private static let aims = (held: 32.0, peak: 64.0)

  static func table() throws -> MarkdownTable {
    var table = MarkdownTable(
      "Memory of 1,000,000 items without ids, in bytes per element",
      columns: [
        "kind, form", "held, as the server says", "allocated", "resident",
        "peak beside the body, resident", "aim", "met",
      ])
    for workload in Workload.all {
      Progress.report("memory of \(workload.name)")
      table.append(try row(workload))
    }
    return table
  }

  private static func row(_ workload: Workload) throws -> [String] {
    let text = workload.prepareText(count)
    ProcessMemory.resetPeak()
    let (resident, allocated) = (ProcessMemory.resident, ProcessMemory.allocated)
    let collection = try PrepareRequest(text.bytes, kind: workload.kind, maxItems: .max).prepared()
    let peak = ProcessMemory.peak - resident
    let held = [
      collection.memoryBytes, ProcessMemory.allocated - allocated,
      ProcessMemory.resident - resident,
    ].map { Double($0) / Double(count) }
    let peakPerElement = Double(peak) / Double(count)
    let figures = [workload.name] + (held + [peakPerElement]).map(Figure.number)
    withExtendedLifetime(text) {}
    guard workload.kind.name == "waterfall" else { return figures + ["", ""] }
    let isMet = held.allSatisfy { $0 <= aims.held } && peakPerElement <= aims.peak
    return figures + [
      "≤ \(Figure.number(aims.held)) held, ≤ \(Figure.number(aims.peak)) peak",
      isMet ? "yes" : "no",
    ]
  }
}
