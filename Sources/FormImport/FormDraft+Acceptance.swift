internal import Forms
internal import JSON
internal import SourceTexts

extension FormDraft {
  /// The form, without the parts that formd refuses. Each removed part is a loss.
  ///
  /// - Parameter origin: the location in the input from which a part of the definition was made.
  consuming func accepted(_ losses: inout LossCollector, origin: (JSONPointer) -> JSONPointer?) -> JSON {
    var definition = definition
    // Each round removes a part, and the errors that remain may have been hidden by it.
    for _ in 0..<Self.roundsMax {
      let compilation = Form.compile(definition)
      let errors = compilation.diagnostics.filter { $0.severity == .error && $0.code != "more" }
      if compilation.form != nil { return definition }
      var isChanged = false
      let parts = errors.compactMap { error in Self.part(at: error.pointer, of: definition).map { (error, $0) } }
      var removedParts: Set<JSONPointer> = []
      // From the last element of a list to the first, because a removed element moves the ones behind it. Two errors
      // of one part remove it once.
      for (error, removed) in parts.sorted(by: { $1.1.precedes($0.1) }) where removedParts.insert(removed).inserted {
        definition = definition.removing(removed.tokens[...])
        isChanged = true
        losses.noteRefusal(error, at: origin(removed) ?? .root)
      }
      if !isChanged {
        losses.noteRefusal(errors.first, at: .root)
        break
      }
    }
    var schema: JSONObject = ["type": "object"]
    schema["properties"] = ["value": ["title": "Value"]]
    return ["form": .string(name), "schema": .object(schema)]
  }

  /// How often parts are removed.
  private static let roundsMax = 100

  /// The place of the smallest part around that place that can be left out; nil if there is none.
  private static func part(at pointer: JSONPointer, of definition: JSON) -> JSONPointer? {
    var tokens = pointer.tokens
    while tokens.count > 1, definition.value(at: tokens[...]) == nil { tokens.removeLast() }
    guard let block = tokens.first, tokens.count > 1 || block != "schema" && block != "form" else { return nil }
    switch block {
    case "rules", "checks", "steps": tokens = Array(tokens.prefix(2))
    case "actions", "outputs", "lookups", "texts": tokens = Array(tokens.prefix(2))
    case "fields": tokens = Array(tokens.prefix(3))
    case "schema": tokens = keyword(in: tokens)
    default: break
    }
    guard tokens.count > 1 || block != "schema" else { return nil }
    return JSONPointer(tokens: tokens)
  }

  /// The place of the keyword that has a place of a schema in its value.
  private static func keyword(in tokens: [String]) -> [String] {
    var end = 1
    while end < tokens.count {
      switch tokens[end] {
      case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "allOf", "anyOf", "oneOf",
        "prefixItems":
        guard tokens.count > end + 2 else { return tokens }
        end += 2
      case "items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains", "propertyNames",
        "not", "if", "then", "else":
        guard tokens.count > end + 1 else { return tokens }
        end += 1
      default: return Array(tokens.prefix(end + 1))
      }
    }
    return tokens
  }
}

extension LossCollector {
  fileprivate mutating func noteRefusal(_ error: Diagnostic?, at pointer: JSONPointer) {
    note(
      .refused,
      at: pointer,
      "formd refuses this: \(error?.message ?? "the form has an error")",
      remedy: error?.remedy ?? "change it in the input and import again, or write it in the form by hand"
    )
  }
}

extension JSON {
  /// The value without the member or element at that path.
  func removing(_ path: ArraySlice<String>) -> JSON {
    guard let token = path.first else { return self }
    let rest = path.dropFirst()
    switch self {
    case .object(var members):
      guard let value = members[token] else { return self }
      if rest.isEmpty { members[token] = nil } else { members[token] = value.removing(rest) }
      return .object(members)
    case .array(var elements):
      guard let index = JSONPointer.arrayIndex(token), index < elements.count else { return self }
      if rest.isEmpty { elements.remove(at: index) } else { elements[index] = elements[index].removing(rest) }
      return .array(elements)
    default: return self
    }
  }
}

extension JSONPointer {
  /// Whether the value comes before the other one in a list that contains both.
  fileprivate func precedes(_ other: JSONPointer) -> Bool {
    for (token, otherToken) in zip(tokens, other.tokens) where token != otherToken {
      if let index = Int(token), let otherIndex = Int(otherToken) { return index < otherIndex }
      return token < otherToken
    }
    return tokens.count < other.tokens.count
  }
}
