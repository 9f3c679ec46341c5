import CollectionLayout
import WireFormat

/// What a waterfall of 1,000,000 items without ids holds, and takes while it is prepared.
enum MemoryBenchmark {
  private static let count = 1_000_000

  static func table() throws -> MarkdownTable {
    var table = MarkdownTable(
      "Memory of a waterfall of 1,000,000 items without ids, in bytes per element",
      columns: ["form, placement", "figure", "aim", "bytes", "B/element", "met"])
    for workload in [Workload.waterfallRows, .waterfallColumns] {
      for placement in WaterfallLayout.Placement.allCases {
        Progress.report("memory of \(workload.name), \(placement.rawValue)")
        try measure(workload, placement, into: &table)
      }
    }
    return table
  }

  private static func measure(
    _ workload: Workload, _ placement: WaterfallLayout.Placement,
    into table: inout MarkdownTable
  ) throws {
    let text = workload.prepareText(count)
    ProcessMemory.resetPeak()
    let (resident, allocated) = (ProcessMemory.resident, ProcessMemory.allocated)
    let collection = try prepared(text, placement)
    let peak = ProcessMemory.peak - resident
    let held = ProcessMemory.allocated - allocated
    let heldResident = ProcessMemory.resident - resident
    let name = "\(workload.name), \(placement.rawValue)"
    func append(_ figure: String, _ bytes: Int, aim: Int) {
      table.append([
        name, figure, "≤ \(aim)", Figure.bytes(bytes),
        Figure.number(Double(bytes) / Double(count)), bytes <= aim * count ? "yes" : "no",
      ])
    }
    append("held, as the server says", collection.memoryBytes, aim: 32)
    append("held, allocated", held, aim: 32)
    append("held, resident", heldResident, aim: 32)
    append("peak beside the body, resident", peak, aim: 64)
    withExtendedLifetime(text) {}
  }

  private static func prepared(
    _ text: RequestText, _ placement: WaterfallLayout.Placement
  ) throws -> PreparedCollection {
    var request = try PrepareRequest(
      text.bytes, kind: WaterfallLayout.self, maxItems: .max)
    guard var layout = request.layout as? WaterfallLayout else {
      preconditionFailure("a waterfall was read as \(type(of: request.layout))")
    }
    layout.placement = placement
    request.layout = layout
    return try request.prepared()
  }
}
