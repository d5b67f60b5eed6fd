public import JSON

/// What is wrong with a form definition, where, and what to do about it.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The form is refused.
    case error
    /// The form works, but probably not as meant.
    case warning
  }

  /// The file, if the definition came from one.
  public var file: String?
  /// The place in the definition.
  public var pointer: JSONPointer
  /// The place in the text.
  public var place: TextPlace
  /// What kind of fault it is, for programs: `unknownKey`, `wrongType`, `expression`, `cycle`, ...
  public var code: String
  /// One sentence that says what is wrong.
  public var message: String
  /// What to write instead, or what to do.
  public var remedy: String?
  /// How bad it is.
  public var severity: Severity = .error

  /// The diagnostic as a JSON object: `file`, `path`, `line`, `column`, `severity`, `code`, `message`, `remedy`.
  public var json: JSON {
    var object = JSONObject()
    if let file { object["file"] = .string(file) }
    object["path"] = .string(pointer.description)
    object["line"] = .integer(Int64(place.line))
    object["column"] = .integer(Int64(place.column))
    object["severity"] = .string(severity.rawValue)
    object["code"] = .string(code)
    object["message"] = .string(message)
    if let remedy { object["remedy"] = .string(remedy) }
    return .object(object)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message` and the remedy in a line of its own, as compilers print it.
  public var description: String {
    let position = file.map { "\($0):\(place)" } ?? "\(place)"
    let location = pointer.tokens.isEmpty ? "" : " [\(pointer)]"
    let advice = remedy.map { "\n    \($0)" } ?? ""
    return "\(position): \(severity.rawValue): \(message)\(location)\(advice)"
  }
}

/// The closest of some names to one that does not exist, for "did you mean".
public func closestName(to name: String, among candidates: some Sequence<String>) -> String? {
  var best: (name: String, distance: Int)?
  let wanted = Array(name.unicodeScalars.prefix(64))
  for candidate in candidates {
    let distance = editDistance(wanted, Array(candidate.unicodeScalars.prefix(64)))
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  // A name with more than about a third of its letters wrong is another name, not a slip.
  guard let best, best.distance <= max(1, (wanted.count + 1) / 3) else { return nil }
  return best.name
}

/// Levenshtein's distance, with a swap of neighbours as one step.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  var current = last
  for i in 1...a.count {
    current[0] = i
    for j in 1...b.count {
      let cost = a[i - 1] == b[j - 1] ? 0 : 1
      current[j] = min(last[j] + 1, current[j - 1] + 1, last[j - 1] + cost)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        current[j] = min(current[j], beforeLast[j - 2] + 1)
      }
    }
    (beforeLast, last, current) = (last, current, beforeLast)
  }
  return last[b.count]
}
