internal import JSON
internal import Texts

/// The texts about a text that is not stream-safe.
enum UnsafeText {
  static let code = "notStreamSafe"
  static let message = "a text or name has more than \(String.combiningMarksMax) combining marks in a row"
  static let remedy = "no writing system needs so many (Unicode Standard Annex #15, section 13); remove some"
}

extension JSON {
  /// The location of the first text in the value, a name or a value, that is not stream-safe; nil if all are.
  var pointerToUnsafeText: JSONPointer? {
    switch self {
    case .string(let text): return text.isStreamSafe ? nil : .root
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let pointer = element.pointerToUnsafeText { return JSONPointer(tokens: ["\(index)"] + pointer.tokens) }
      }
      return nil
    case .object(let members):
      for member in members {
        // If a name is wrong, its object is named: a message that repeats the name could not be read.
        if !member.name.isStreamSafe { return .root }
        if let pointer = member.value.pointerToUnsafeText { return JSONPointer(tokens: [member.name] + pointer.tokens) }
      }
      return nil
    case .null, .bool, .integer, .real, .decimal: return nil
    }
  }
}
