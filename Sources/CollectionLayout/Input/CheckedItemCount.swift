/// Counts of items that cannot overflow the index arithmetic.
func checkedItemCount(_ sections: [Items]) throws(LayoutError) -> Int {
  var total = 0
  for section in sections {
    total += section.count
    guard section.count <= JSONInteger.maximum, total <= JSONInteger.maximum else {
      throw .tooManyItems(limit: JSONInteger.maximum)
    }
  }
  return total
}
