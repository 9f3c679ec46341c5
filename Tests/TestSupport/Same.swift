public import Testing

/// Expects two values to be equal, and tells both if they are not. It is a plain function, because
/// `#expect(found == expected)`, a macro that is expanded at each of its places, took a tenth of
/// the build.
public func same<Value: Equatable>(
  _ found: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  #expect(
    found == expected, comment(),
    sourceLocation: SourceLocation(
      fileID: fileID, filePath: filePath, line: line, column: column))
}
