import MicroHTTP

/// What a GET or HEAD says of its answer beside what it asks: in which format to write it, and on
/// which conditions.
struct AnswerTerms: Sendable {
  let representation: Representation
  let preconditions: Preconditions

  /// - Parameter format: The format that the query names; `nil` if it names none.
  init(_ request: borrowing Request, format: AnswerFormat?) {
    self.init(request, Representation(format, request))
  }

  init(_ request: borrowing Request, _ representation: Representation) {
    self.representation = representation
    preconditions = Preconditions(request, answeredAs: representation.format)
  }

  private static let parameters: QueryParameters<AnswerFormat?> = [
    .format(among: AnswerFormat.ofLayout) { $0 = $1 }
  ]

  /// The terms of a request that has no parameter but `f`.
  init(only request: borrowing Request) throws(Problem) {
    var format: AnswerFormat?
    if request.target.queryRange != nil {
      try QueryString.read(request.target, Self.parameters, into: &format)
    }
    self.init(request, format: format)
  }
}
