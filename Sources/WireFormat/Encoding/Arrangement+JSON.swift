public import CollectionLayout

extension Arrangement: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object { object in
      switch content {
      case .ids(let ids): object.write(ids: ids, 0..<ids.count)
      case .sections(let sections, let ids):
        object.array("sections", sections) { writer, section in
          writer.object {
            $0["id"] = section.id
            $0.write(ids: ids, section.items)
          }
        }
      case .keys(let conditions, let group, let orders):
        if !conditions.isEmpty { object.array("where", conditions) { $1.write(to: &$0) } }
        object["groupBy"] = group
        if !orders.isEmpty { object.array("sortBy", orders) { $1.write(to: &$0) } }
      }
    }
  }
}

extension JSONObject {
  fileprivate mutating func write(ids: IDColumn, _ items: Range<Int>) {
    array("ids", items) { writer, index in ids[index]?.write(to: &writer) }
  }
}

extension Arrangement.Condition: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object { object in
      if let any {
        object.array("any", any) { $1.write(to: &$0) }
      } else if let text {
        object["text"] = text.text
        object["name"] = text.name?.name
        object["exact"] = text.isExact ? true : nil
      } else {
        object["key"] = key.name
      }
      object["from"] = from
      object["to"] = to
      object["in"] = values
      object["all"] = all
      object["not"] = isNot ? true : nil
    }
  }
}

extension Arrangement.Order: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["key"] = key.name
      $0["order"] = isDescending ? "descending" : nil
    }
  }
}
