/// The names of Unicode properties in `\p{...}`, with their names in PCRE2.
enum UnicodeProperty {
  /// The property named by `text` in ECMA-262 (section 22.2.1, tables of binary properties and of General_Category).
  /// Names are exact there: no other case, no spaces. Nil when there is none of that name.
  static func ecma(_ text: String, isNegated: Bool, offset: Int) -> PatternSet.Property? {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    if parts.count == 2 {
      let value = String(parts[1])
      switch parts[0] {
      case "General_Category", "gc":
        guard let category = generalCategories[value] else { return nil }
        return .init(name: category, isNegated: isNegated, offset: offset)
      case "Script", "sc":
        guard isScriptName(value) else { return nil }
        return .init(name: "sc:\(value)", isNegated: isNegated, offset: offset)
      case "Script_Extensions", "scx":
        guard isScriptName(value) else { return nil }
        return .init(name: "scx:\(value)", isNegated: isNegated, offset: offset)
      default:
        return nil
      }
    }
    guard parts.count == 1 else { return nil }
    if text == "Assigned" { return .init(name: "Cn", isNegated: !isNegated, offset: offset) }
    if let category = generalCategories[text] { return .init(name: category, isNegated: isNegated, offset: offset) }
    guard binaryProperties.contains(text) else { return nil }
    return .init(name: text, isNegated: isNegated, offset: offset)
  }

  /// The property named by `text` in RE2: a general category of one or two letters, a script, or `Any`.
  static func re2(_ text: String, isNegated: Bool, offset: Int) -> PatternSet.Property? {
    if text == "Any" { return .init(name: "Any", isNegated: isNegated, offset: offset) }
    if text.utf8.count <= 2 {
      guard text != "LC", text != "Cn", let category = generalCategories[text] else { return nil }
      return .init(name: category, isNegated: isNegated, offset: offset)
    }
    guard isScriptName(text) else { return nil }
    return .init(name: "sc:\(text)", isNegated: isNegated, offset: offset)
  }

  /// Whether `text` is written as Unicode writes the names of scripts (`Greek`, `Old_Italic`, `Grek`). Whether there
  /// is such a script PCRE2 says, whose tables know.
  private static func isScriptName(_ text: String) -> Bool {
    if text == "SignWriting" { return true }
    return text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).allSatisfy { word in
      guard let first = word.first else { return false }
      // "Phags_Pa" and "Nko", but "Hanifi_Rohingya"; a small second word never begins the name.
      let startsLarge = first >= 0x41 && first <= 0x5A
      let restIsSmall = word.dropFirst().allSatisfy { $0 >= 0x61 && $0 <= 0x7A }
      return startsLarge && restIsSmall
    }
  }

  /// General_Category: every alias of PropertyValueAliases.txt to the short name.
  private static let generalCategories: [String: String] = {
    let entries = [
      "L Letter", "LC Cased_Letter", "Lu Uppercase_Letter", "Ll Lowercase_Letter", "Lt Titlecase_Letter",
      "Lm Modifier_Letter", "Lo Other_Letter", "M Mark Combining_Mark", "Mn Nonspacing_Mark", "Mc Spacing_Mark",
      "Me Enclosing_Mark", "N Number", "Nd Decimal_Number digit", "Nl Letter_Number", "No Other_Number",
      "P Punctuation punct", "Pc Connector_Punctuation", "Pd Dash_Punctuation", "Ps Open_Punctuation",
      "Pe Close_Punctuation", "Pi Initial_Punctuation", "Pf Final_Punctuation", "Po Other_Punctuation", "S Symbol",
      "Sm Math_Symbol", "Sc Currency_Symbol", "Sk Modifier_Symbol", "So Other_Symbol", "Z Separator",
      "Zs Space_Separator", "Zl Line_Separator", "Zp Paragraph_Separator", "C Other", "Cc Control cntrl", "Cf Format",
      "Cs Surrogate", "Co Private_Use", "Cn Unassigned",
    ]
    var result: [String: String] = [:]
    for entry in entries {
      let names = entry.split(separator: " ").map(String.init)
      for name in names { result[name] = names[0] == "LC" ? "L&" : names[0] }
    }
    return result
  }()

  /// Binary properties of ECMA-262 and their aliases.
  private static let binaryProperties: Set<String> = Set(
    """
    ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable CI Cased \
    Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM Changes_When_Lowercased CWL \
    Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash \
    Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji Emoji_Component EComp Emoji_Modifier EMod \
    Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base \
    Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC \
    ID_Start IDS Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math \
    Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark QMark Radical \
    Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo \
    Uppercase Upper Variation_Selector VS White_Space space XID_Continue XIDC XID_Start XIDS
    """.split(separator: " ").map(String.init)
  )
}
