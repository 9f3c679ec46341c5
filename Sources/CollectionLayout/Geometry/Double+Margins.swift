/// A few units in the last place, as far as the sum that ends one element may be rounded beyond the
/// sum that begins the next.
extension Double {
  private var margin: Double { 4 * magnitude.ulp }

  /// At most as large as the end of any element that should lie above here but was rounded.
  var roundedDownForSearch: Double { self - margin }

  /// At least as large as the edge of any frame that should end here but was rounded beyond.
  var roundedUpForFrames: Double { self + margin }
}
