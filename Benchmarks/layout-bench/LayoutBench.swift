import ArgumentParser
import System

/// Measures layouts in process: prepare, query, encode, update, memory, changes.
///
/// Every figure has a limit or a rival beside it that did the same work in the same run.
@main
struct LayoutBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout-bench",
    abstract: "Measures the layouts in process and prints tables in Markdown.")

  /// The parts that can be measured.
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case kinds, memory, changes, lists, views, folds
  }

  @Flag(help: "Fewer sizes and shorter runs.")
  var quick = false

  @Option(help: "Only this part: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).")
  var only: Part?

  @Option(
    help: "The numbers of elements, such as 1k,100k,10M.",
    transform: LayoutBench.sizes)
  var sizes: [Int] = []

  private static func sizes(_ text: String) throws -> [Int] {
    try text.split(separator: ",").map { part in
      let factor =
        switch part.last {
        case "k", "K": 1000
        case "m", "M": 1_000_000
        default: 1
        }
      guard let number = Int(factor == 1 ? part : part.dropLast()), number > 0 else {
        throw ValidationError("\(part) is no number of elements")
      }
      return number * factor
    }
  }

  private static let usualSizes = [1000, 10_000, 100_000, 1_000_000, 10_000_000]
  private static let quickSizes = [1000, 1_000_000]

  func run() throws {
    // The server does this too.
    KeptMemory.keepWhatMallocFrees()
    let patience = quick ? Patience.quick : .usual
    print("## layout-bench: in process\n")
    print(Environment().lines.joined(separator: "\n"))
    print("- times: median of the runs, after one that does not count")
    // Memory is first, because it is easiest to read in an unused heap.
    if only == nil || only == .memory {
      show([try MemoryBenchmark.table()])
    }
    if only == nil || only == .changes {
      show([try ChangeBenchmark(patience: patience).table()])
    }
    if only == nil || only == .lists {
      let usual = quick ? Self.quickSizes : Self.usualSizes
      show([
        try ListBenchmark(patience: patience, sizes: sizes.isEmpty ? usual : sizes).table()
      ])
    }
    if only == nil || only == .views {
      show(try ViewBenchmark(patience: patience).tables())
    }
    if only == nil || only == .folds {
      show([try FoldBenchmark(patience: patience).table()])
    }
    if only == nil || only == .kinds {
      var benchmark = KindBenchmark(
        patience: patience, attributeDictionaryLimit: quick ? 100_000 : 1_000_000)
      for workload in Workload.all {
        for size in sizes.isEmpty ? (quick ? Self.quickSizes : Self.usualSizes) : sizes {
          Progress.report("\(workload.name), \(Figure.count(size))")
          try benchmark.measure(workload, count: size)
        }
      }
      show(benchmark.tables)
    }
  }

  private func show(_ tables: [MarkdownTable]) {
    for table in tables { print("\n" + table.text) }
  }
}
