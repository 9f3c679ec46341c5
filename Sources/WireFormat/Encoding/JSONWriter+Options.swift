import CollectionLayout

extension JSONWriter {
  mutating func write(_ options: GivenOptions) {
    write("{")
    for (index, member) in options.members.enumerated() {
      if index > 0 { write(",") }
      write(string: member.name)
      write(":")
      write(member.value)
    }
    write("}")
  }

  mutating func write(_ value: OptionValue) {
    switch value {
    case .number(let number): write(number)
    case .string(let string): write(string: string)
    case .boolean(let boolean): write(boolean)
    case .null: write("null")
    case .object(let options): write(options)
    case .array(let values):
      write("[")
      for (index, value) in values.enumerated() {
        if index > 0 { write(",") }
        write(value)
      }
      write("]")
    }
  }
}
