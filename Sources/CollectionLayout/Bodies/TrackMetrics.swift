/// The positions of tracks side by side, and the spacing of their cells. The tracks are the columns
/// of a grid or waterfall, or the one column of a list.
struct TrackMetrics: Sendable {
  var trackCount: Int
  /// The x of the cells of track 0.
  var x = 0.0
  /// The distance from one track to the next.
  let pitch: Double
  /// The width of a track, without the spacing.
  let trackWidth: Double
  /// The distance between two tracks.
  var trackSpacing = 0.0
  /// What a cell is narrower than its tracks.
  var inset = 0.0
  /// The distance from the top of a cell's place to the cell.
  var padding = 0.0
  /// What a place is higher than its cell, and the distance to the next place, together.
  var spacing = 0.0
  /// The part of ``spacing`` that does not belong to the last place of a track.
  var rowSpacing = 0.0
  /// Whether cells go to the tracks in turn, whatever their heights are.
  var isInTurn = false

  @inline(__always)
  func x(of track: Int) -> Double { Double(track) * pitch + x }

  /// The width of a cell that covers some tracks.
  @inline(__always)
  func width(ofSpan span: Int) -> Double {
    (Double(span) * trackWidth + Double(span - 1) * trackSpacing) - inset
  }

  /// A rect that holds all cells.
  func reach(height: Double) -> Rect {
    let left = x(of: 0)
    return Rect(
      x: left, y: 0, width: x(of: trackCount - 1) + width(ofSpan: 1) - left, height: height)
  }
}
