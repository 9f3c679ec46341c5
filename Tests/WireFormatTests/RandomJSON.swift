import TestSupport

@testable import WireFormat

/// Random documents, as what they say and as text.
struct RandomJSON {
  var generator: SeededGenerator

  /// A document and its text. The numbers of it are such that Foundation reads them exactly, and
  /// no two members of an object have canonically equivalent names.
  mutating func document(depth: Int = 5) -> (value: JSON, text: String) {
    var text = ""
    let value = write(depth: depth, into: &text)
    return (value, text)
  }

  private mutating func write(depth: Int, into text: inout String) -> JSON {
    space(into: &text)
    defer { space(into: &text) }
    switch Int.random(in: depth > 0 ? 0..<10 : 0..<6, using: &generator) {
    case 0:
      text += "null"
      return .null
    case 1:
      let value = Bool.random(using: &generator)
      text += value ? "true" : "false"
      return .boolean(value)
    case 2, 3:
      let (value, number) = number()
      text += number
      return .number(value)
    case 4, 5: return .string(string(into: &text))
    case 6, 7:
      var elements: [JSON] = []
      text += "["
      space(into: &text)
      for index in 0..<Int.random(in: 0...5, using: &generator) {
        if index > 0 { text += "," }
        elements.append(write(depth: depth - 1, into: &text))
      }
      text += "]"
      return .array(elements)
    default:
      var members: [[UInt8]: JSON] = [:]
      text += "{"
      space(into: &text)
      for index in 0..<Int.random(in: 0...5, using: &generator) {
        if index > 0 { text += "," }
        space(into: &text)
        text += "\"\(index)"
        var rest = ""
        let name = Array("\(index)".utf8) + string(into: &rest)
        text.unicodeScalars.append(contentsOf: rest.unicodeScalars.dropFirst())
        space(into: &text)
        text += ":"
        members[name] = write(depth: depth - 1, into: &text)
      }
      text += "}"
      return .object(members)
    }
  }

  private mutating func space(into text: inout String) {
    while generator.once(in: 5) {
      text += [" ", "\n", "\t", "\r"].randomElement(using: &generator)!
    }
  }

  private mutating func number() -> (Double, String) {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      let value = Int.random(in: -1000...1000, using: &generator)
      return (Double(value), "\(value)")
    case 1:
      let value = Int.random(in: -1 << 53...1 << 53, using: &generator)
      return (Double(value), "\(value)")
    case 2:
      let value = Double(Int.random(in: -100_000...100_000, using: &generator)) / 64
      return (value, "\(value)")
    default:
      let digit = Int.random(in: 1...9, using: &generator)
      let exponent = Int.random(in: -20...20, using: &generator)
      let text = "\(digit)\(Bool.random(using: &generator) ? "e" : "E")\(exponent)"
      return (Double(text)!, text)
    }
  }

  private mutating func string(into text: inout String) -> [UInt8] {
    var bytes: [UInt8] = []
    text += "\""
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
      let scalar: Unicode.Scalar =
        generator.once(in: 3)
        ? Unicode.Scalar(UInt32.random(in: 0x20..<0xD800, using: &generator))!
        : ["a", "Z", "0", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "é", "€", "😀", "{", "]", ","]
          .randomElement(using: &generator)!
      bytes += Array(String(Character(scalar)).utf8)
      if generator.once(in: 4) || scalar.value < 0x20 {
        for unit in UTF16.encode(scalar)! {
          let hex = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
          text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
      } else if scalar == "\"" || scalar == "\\" {
        text += "\\" + String(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
    return bytes
  }

  /// Changes a text in one to three places: bytes of JSON's own alphabet mostly.
  mutating func mutate(_ text: [UInt8]) -> [UInt8] {
    let alphabet =
      Array("{}[]:,\"\\ \n0123456789.-+eEtrufalsn\u{1}\u{0}/é".utf8) + [0xFF, 0x80, 0xC3]
    var bytes = text
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(alphabet.randomElement(using: &generator)!, at: place)
      case 2, 3: bytes[place] = alphabet.randomElement(using: &generator)!
      case 4:
        bytes.removeSubrange(
          place..<min(bytes.count, place + Int.random(in: 1...9, using: &generator)))
      case 5:
        let end = min(bytes.count, place + Int.random(in: 1...9, using: &generator))
        bytes.insert(
          contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
      default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
      }
    }
    return bytes
  }
}
