import CHarfBuzz
import CICU

/// The languages that HarfBuzz and ICU tell apart.
///
/// HarfBuzz keeps each tag that it is given for ever. To find one, it goes through all of them. So
/// HarfBuzz gets one of a few hundred tags.
enum TextLanguage {
  /// All codes of ISO 639 that ICU knows.
  private static let codes: Set<String> = {
    var codes: Set<String> = []
    var next = cicu_languages()
    while let place = next, let code = place.pointee {
      codes.insert(String(cString: code))
      next = place + 1
    }
    return codes
  }()

  /// Scripts, regions and variants for which fonts have other glyphs.
  private static let subtags: [String: Set<String>] = [
    "zh": ["hans", "hant", "cn", "sg", "hk", "mo", "tw"], "el": ["polyton"], "hy": ["arevmda"],
    "ka": ["geok"], "ga": ["latg"], "ro": ["md"], "syr": ["syre", "syrj", "syrn"],
  ]

  /// The part of a tag that matters; `und` if nobody knows the language.
  static func known(_ tag: String) -> String {
    let parts = tag.lowercased().split(separator: "-").map { String($0) }
    guard let code = parts.first, codes.contains(code) else { return "und" }
    let kept = Set(parts.dropFirst()).intersection(subtags[code] ?? [])
    return ([code] + kept.sorted { $0.utf8.count > $1.utf8.count }.prefix(2)).joined(separator: "-")
  }

  /// HarfBuzz's name of a language, if a font has glyphs of its own for it; else NULL. So a font
  /// gets few plans.
  static func named(_ tag: String, in face: OpaquePointer) -> OpaquePointer? {
    let language = hb_language_from_string(tag, -1)
    var tags = [hb_tag_t](repeating: 0, count: 8)
    var count = UInt32(tags.count)
    hb_ot_tags_from_script_and_language(HB_SCRIPT_COMMON, language, nil, nil, &count, &tags)
    guard count > 0 else { return nil }
    for table in [FontTables.tag("GSUB"), FontTables.tag("GPOS")] {
      let scripts = hb_ot_layout_table_get_script_tags(face, table, 0, nil, nil)
      for script in 0..<scripts {
        var found: UInt32 = 0
        let isThere = hb_ot_layout_script_select_language(
          face, table, script, count, &tags, &found)
        if isThere != 0 { return language }
      }
    }
    return nil
  }
}
