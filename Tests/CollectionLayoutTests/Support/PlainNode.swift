/// A hierarchy as rows: each node with its name and its parent's index.
struct PlainNode {
  var parent: Int?
  var id: String?
  var width: Double?
  var height: Double?
}
