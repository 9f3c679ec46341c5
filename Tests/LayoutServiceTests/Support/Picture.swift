import Foundation
import FoundationXML
import ServiceSupport
import TestSupport
import Testing

/// A picture of the service, read by a parser of XML.
final class Picture: NSObject, XMLParserDelegate {
  struct Shape {
    /// `rect`, `path` or `text`.
    var tag: String
    /// The classes of the shape, or of the group that it is in.
    var classes: [Substring]
    var attributes: [String: String]
    var text = ""

    subscript(name: String) -> Double { attributes[name].flatMap { Double($0) } ?? .nan }
    /// x, y, width, height.
    var box: [Double] { ["x", "y", "width", "height"].map { self[$0] } }
  }

  private(set) var size: [Double] = []
  private(set) var title = ""
  /// What it says of itself when it is not complete.
  private(set) var note: String?
  /// All shapes in their order.
  private(set) var shapes: [Shape] = []
  private var path: [(tag: String, classes: [Substring])] = []

  init(_ answer: Answer) {
    super.init()
    let parser = XMLParser(data: Data(answer.body))
    parser.delegate = self
    parser.shouldProcessNamespaces = true
    let isWellFormed = parser.parse()
    #expect(isWellFormed, "\(String(describing: parser.parserError)): \(answer.text)")
  }

  /// The boxes of elements of a category, in their order.
  func boxes(_ category: String) -> [Shape] {
    shapes.filter { $0.tag == "rect" && $0.classes.contains(Substring(category)) }
  }

  /// The names that are written.
  var names: [String] {
    shapes.filter { $0.tag == "text" && !$0.classes.contains("note") }.map(\.text)
  }

  func parser(
    _ parser: XMLParser, didStartElement tag: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    same(namespaceURI, "http://www.w3.org/2000/svg")
    let classes = attributes["class"]?.split(separator: " ") ?? path.last?.classes ?? []
    path.append((tag, classes))
    switch tag {
    case "svg":
      size = ["width", "height"].map { attributes[$0].flatMap { Double($0) } ?? .nan }
      same(attributes["viewBox"], "0 0 \(attributes["width"] ?? "") \(attributes["height"] ?? "")")
    case "desc": note = ""
    case "rect", "path", "text":
      shapes.append(Shape(tag: tag, classes: classes, attributes: attributes))
    default: #expect(["title", "style", "g"].contains(tag))
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    switch path.last?.tag {
    case "title": title += text
    case "desc": note? += text
    case "text": shapes[shapes.count - 1].text += text
    default: break
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement tag: String, namespaceURI: String?, qualifiedName: String?
  ) {
    path.removeLast()
  }
}
