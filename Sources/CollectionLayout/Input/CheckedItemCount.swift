/// Counts of items that cannot overflow the index arithmetic.
func checkedItemCount(_ sections: [Items]) throws(LayoutError) -> Int {
  var total = 0
  for section in sections {
    guard section.count <= JSONInteger.maximum - total else {
      throw .tooManyItems(limit: JSONInteger.maximum)
    }
    total += section.count
  }
  return total
}
