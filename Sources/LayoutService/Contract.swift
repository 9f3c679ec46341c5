/// The machine-readable contract.
enum Contract {
  static let text = ""
}
