/// Margins for rounding errors across the scroll direction, and of frames that a client gives. The
/// end of an element and the start of the next are different sums there, which may differ by a few
/// units in the last place.
extension Double {
  private var margin: Double { 4 * magnitude.ulp }

  /// The lower bound for a search: no element that should end here is rounded to end before it.
  var roundedDownForSearch: Double { self - margin }

  /// The upper bound for frames: no frame that should end here is rounded to end beyond it.
  var roundedUpForFrames: Double { self + margin }
}
