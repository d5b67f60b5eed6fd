/// The names of members as expressions write them ("Common Expression Language in Kubernetes", "Escaping").
enum EscapedName {
  /// The name with what no identifier has in words: `foo-bar` as `foo__dash__bar`, `namespace` as `__namespace__`. Nil where expressions
  /// cannot write the name at all.
  static func escape(_ name: String) -> String? {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return nil }
    if reserved.contains(name) { return "__\(name)__" }
    var escaped = ""
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "_") where rest.first == byte:
        rest.removeFirst()
        escaped += "__underscores__"
      case UInt8(ascii: "."): escaped += "__dot__"
      case UInt8(ascii: "-"): escaped += "__dash__"
      case UInt8(ascii: "/"): escaped += "__slash__"
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"): escaped.unicodeScalars.append(UnicodeScalar(byte))
      default: return nil
      }
    }
    return escaped
  }

  /// What the language keeps for itself.
  private static let reserved: Set<String> = [
    "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
    "loop", "package", "namespace", "return", "var", "void", "while",
  ]
}
