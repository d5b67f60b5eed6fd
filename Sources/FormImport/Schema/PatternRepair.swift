internal import Formats

/// Regular expressions of other languages, as ECMA-262 writes them.
enum PatternRepair {
  /// The result of a translation.
  enum Result {
    /// It means the same in ECMA-262, in this spelling.
    case same(String)
    /// ECMA-262 has nothing for it.
    case refused(String)
  }

  /// The pattern in ECMA-262.
  static func ecma(_ source: String) -> Result {
    if Pattern.syntaxError(in: source, dialect: .ecma262, lengthMax: Pattern.generatedLengthMax) == nil {
      return isUsable(source) ? .same(source) : .refused("it takes too much memory")
    }
    let repaired = translated(source)
    do throws(PatternError) {
      _ = try Pattern(repaired, dialect: .ecma262, lengthMax: Pattern.generatedLengthMax)
      return .same(repaired)
    } catch {
      return .refused(error.message)
    }
  }

  /// Whether a pattern accepts texts of digits, and no words.
  static func isOfDigits(_ source: String) -> Bool {
    guard case .same(let text) = ecma(source),
      let pattern = try? Pattern(text, dialect: .ecma262, lengthMax: Pattern.generatedLengthMax)
    else { return false }
    return pattern.matches("1") == .match && pattern.matches("a") == .noMatch
  }

  private static func isUsable(_ source: String) -> Bool {
    (try? Pattern(source, dialect: .ecma262, lengthMax: Pattern.generatedLengthMax)) != nil
  }

  /// Python's and Rust's spellings: `\A`, `\Z`, `\z`, `(?P<name>`, and a backslash before a character that needs none.
  private static func translated(_ source: String) -> String {
    var text = ""
    var rest = Substring(source)
    var isInClass = false
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let next = rest.popFirst() else { return text + "\\" }
        switch next {
        case "A" where !isInClass: text += "^"
        case "Z" where !isInClass, "z" where !isInClass: text += "$"
        case "-" where isInClass: text += "\\-"
        case _ where next.isLetter || next.isNumber || "^$\\.*+?()[]{}|/".contains(next): text += "\\" + String(next)
        default: text.append(next)
        }
      case "[" where !isInClass:
        isInClass = true
        text += "["
      case "]":
        isInClass = false
        text += "]"
      case "(" where !isInClass && rest.hasPrefix("?P<"):
        rest = rest.dropFirst(3)
        text += "(?<"
      default: text.append(character)
      }
    }
    return text
  }
}
