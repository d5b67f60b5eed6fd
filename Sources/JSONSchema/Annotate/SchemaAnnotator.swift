internal import Formats
package import JSON
internal import Texts

/// Writes texts into a schema, at the schemas of the values that they are about. Only annotations change: the same
/// values are valid.
///
/// A schema that other schemas refer to is not changed, because they may apply it at other locations. Instead, a
/// reference on the way to a value is changed to lead to a copy of its target, with the texts in the copy. A target
/// outside of `$defs` is first copied into `$defs` unchanged, and its references with it. The schema at its own
/// location is then free to change.
///
/// Nothing is written inside a schema with an `$id` or an anchor, because a copy would be a second schema of that name.
/// Nothing at all is written if such a schema is inside a schema that would have to move, or if a reference may lead to
/// an `$id`.
package struct SchemaAnnotator {
  private let dialect: Dialect
  /// The schema that is written into. Its definitions do not change.
  private var document: JSONObject
  /// `$defs`, or before 2019-09 `definitions`.
  private let definitionsName: String
  /// Copies that are to become definitions.
  private var copies = JSONObject()
  /// By reference: the copy that was made last. Values that are alike share it.
  private var lastCopy: [UTF8Key: (name: String, schema: JSON)] = [:]
  /// By reference: the target schema and the size of a copy of it, in values; nil if no copy can be made.
  private var targets: [UTF8Key: (schema: JSON, size: Int)?] = [:]
  /// How many more schemas are looked at, and values copied; a long text counts as several. A schema that refers to
  /// others that refer to others has more values than characters. The values behind keep their texts.
  private var workLeft = 20_000
  private var mayWrite = true

  /// Prepares a schema that compiles.
  ///
  /// - Parameters:
  ///   - schema: the schema; a boolean takes no texts.
  ///   - tellsExamples: whether `default` and `examples` stay in the schema. Otherwise they are removed everywhere.
  package init(_ schema: JSON, tellsExamples: Bool) {
    let dialect = SchemaDraft(of: schema).map { Dialect($0) } ?? .standard
    self.dialect = dialect
    definitionsName = dialect.draft.definitionsKeyword
    var scrubbed = schema
    if !tellsExamples {
      scrubbed = schema.mappingSchemas(dialect, entersResources: true) { members in
        members["default"] = nil
        members["examples"] = nil
      }
    }
    document = scrubbed.objectValue ?? [:]
    let found = References(in: schema, dialect)
    mayWrite = !found.isRecursive && !found.mayLeadAnywhere
    if mayWrite { moveTargets(of: found.texts) }
  }

  /// The references of a document.
  private struct References {
    /// As they are written, without the references inside another resource: their meaning depends on that resource.
    private(set) var texts: [String] = []
    /// Whether `$recursiveRef` is used, which leads to the whole.
    private(set) var isRecursive = false
    /// Whether a reference may lead to any schema without naming it: by the URI of a schema, or of the whole.
    private(set) var mayLeadAnywhere = false

    init(in schema: JSON, _ dialect: Dialect) {
      var (hasIdentifiers, hasURIs) = (false, false)
      _ = schema.mappingSchemas(dialect, entersResources: true) { members in
        if members[dialect.draft.identifierKeyword]?.stringValue != nil { hasIdentifiers = true }
        if members["$recursiveRef"]?.stringValue != nil { isRecursive = true }
        for name in SchemaAnnotator.references {
          guard let text = members[name]?.stringValue, text.utf8.first != UInt8(ascii: "#") else { continue }
          hasURIs = true
          if text.isEmpty { mayLeadAnywhere = true }
        }
      }
      if hasIdentifiers && hasURIs { mayLeadAnywhere = true }
      _ = schema.mappingSchemas(dialect, entersResources: false) { members in
        for name in SchemaAnnotator.references { if let text = members[name]?.stringValue { texts.append(text) } }
      }
    }
  }

  /// The keywords that refer, by the location in the document or by a name.
  private static let references = ["$ref", "$dynamicRef"]

  /// The schema with texts.
  package mutating func annotated(_ texts: ValueTexts) -> JSONObject {
    guard mayWrite else { return document }
    var result = document
    if case .object(let changed)? = annotated(.object(document), texts, tellsItself: true, isRoot: true) {
      result = changed
    }
    if !copies.isEmpty {
      var definitions = result[definitionsName]?.objectValue ?? [:]
      for copy in copies { definitions[copy.name] = copy.value }
      result[definitionsName] = .object(definitions)
    }
    return result
  }

  // MARK: In place

  /// A schema with the texts of the value that it applies to; nil if nothing changes.
  ///
  /// - Parameter tellsItself: whether the value's own texts belong here, and not only the texts of the values inside
  ///   it.
  private mutating func annotated(
    _ schema: JSON,
    _ texts: ValueTexts,
    tellsItself: Bool,
    isRoot: Bool = false
  ) -> JSON? {
    guard workLeft > 0 else { return nil }
    workLeft -= 1
    var members: JSONObject
    switch schema {
    case .bool(true) where tellsItself: members = [:]
    case .object(let own) where isRoot || !isNamed(own): members = own
    default: return nil
    }
    // Before 2019-09 nothing counts beside a reference.
    let isHidden = dialect.draft.hidesSiblingsOfReferences && members["$ref"] != nil
    var isChanged = false
    if tellsItself && !isHidden {
      isChanged = set("title", texts.title.map { .string($0) }, in: &members) || isChanged
      isChanged = set("description", texts.description.map { .string($0) }, in: &members) || isChanged
      isChanged = set("default", texts.default, in: &members) || isChanged
    }
    if !texts.choices.isEmpty { isChanged = nameChoices(texts.choices, in: &members) || isChanged }
    isChanged = annotateMembers(texts, in: &members) || isChanged
    isChanged = annotateInPlace(texts, in: &members) || isChanged
    isChanged = annotateReference(texts, tellsItself: tellsItself && isHidden, in: &members) || isChanged
    return isChanged ? .object(members) : nil
  }

  private mutating func set(_ name: String, _ value: JSON?, in members: inout JSONObject) -> Bool {
    guard let value, members[name] != value else { return false }
    workLeft -= Self.size(of: value)
    guard workLeft > 0 else { return false }
    members[name] = value
    return true
  }

  /// `properties` and `items`.
  private mutating func annotateMembers(_ texts: ValueTexts, in members: inout JSONObject) -> Bool {
    var isChanged = false
    if !texts.members.isEmpty, case .object(var properties)? = members["properties"] {
      var arePropertiesChanged = false
      for (name, inner) in texts.members {
        guard let property = properties[name], let changed = annotated(property, inner, tellsItself: true) else {
          continue
        }
        properties[name] = changed
        arePropertiesChanged = true
      }
      if arePropertiesChanged {
        members["properties"] = .object(properties)
        isChanged = true
      }
    }
    if let element = texts.element.first, let items = members["items"],
      let changed = annotated(items, element, tellsItself: true)
    {
      members["items"] = changed
      isChanged = true
    }
    return isChanged
  }

  /// The schemas that apply to the same value as the schema itself: branches, whether they hold or not.
  private mutating func annotateInPlace(_ texts: ValueTexts, in members: inout JSONObject) -> Bool {
    var isChanged = false
    for keyword in ["allOf", "anyOf", "oneOf"] {
      guard case .array(var branches)? = members[keyword] else { continue }
      for (index, branch) in branches.enumerated() {
        guard let changed = annotated(branch, texts, tellsItself: false) else { continue }
        branches[index] = changed
        members[keyword] = .array(branches)
        isChanged = true
      }
    }
    for keyword in ["then", "else"] {
      guard let branch = members[keyword], let changed = annotated(branch, texts, tellsItself: false) else { continue }
      members[keyword] = changed
      isChanged = true
    }
    for keyword in ["dependentSchemas", "dependencies"] {
      guard case .object(var branches)? = members[keyword] else { continue }
      for branch in branches {
        guard let changed = annotated(branch.value, texts, tellsItself: false) else { continue }
        branches[branch.name] = changed
        members[keyword] = .object(branches)
        isChanged = true
      }
    }
    return isChanged
  }

  // MARK: Choices

  /// Names the choices: an `enum` becomes a `oneOf` of `const` and `title`, and such a `oneOf` gets the titles.
  private mutating func nameChoices(_ titles: [JSON: String], in members: inout JSONObject) -> Bool {
    var isChanged = false
    for keyword in ["oneOf", "anyOf"] {
      guard case .array(var branches)? = members[keyword] else { continue }
      for (index, branch) in branches.enumerated() {
        guard case .object(var choice) = branch, !isNamed(choice), let value = choice["const"],
          let title = titles[value], set("title", .string(title), in: &choice)
        else { continue }
        branches[index] = .object(choice)
        isChanged = true
      }
      members[keyword] = .array(branches)
    }
    // Of equal values none would be the only one that holds.
    if case .array(let values)? = members["enum"], members["oneOf"] == nil,
      values.contains(where: { titles[$0] != nil }), Set(values).count == values.count
    {
      members["enum"] = nil
      members["oneOf"] = .array(
        values.map { value in
          var choice: JSONObject = ["const": value]
          if let title = titles[value] { choice["title"] = .string(title) }
          return .object(choice)
        }
      )
      isChanged = true
    }
    return isChanged
  }

  // MARK: References

  /// Leads a reference to a copy, if its target needs texts.
  private mutating func annotateReference(
    _ texts: ValueTexts,
    tellsItself: Bool,
    in members: inout JSONObject
  ) -> Bool {
    guard let reference = members["$ref"]?.stringValue, let (target, size) = target(of: reference), size <= workLeft,
      let changed = annotated(target, texts, tellsItself: tellsItself)
    else { return false }
    let key = UTF8Key(text: reference)
    if let last = lastCopy[key], last.schema == changed {
      members["$ref"] = .string("#/\(definitionsName)/\(JSONPointer.escape(last.name))")
      return true
    }
    workLeft -= size
    let name = addDefinition(changed, named: Self.pointer(reference)?.tokens.last)
    lastCopy[key] = (name, changed)
    members["$ref"] = .string("#/\(definitionsName)/\(JSONPointer.escape(name))")
    return true
  }

  private mutating func addDefinition(_ schema: JSON, named base: String?) -> String {
    let base = base ?? "schema"
    let taken = document[definitionsName]?.objectValue
    var number = 1
    // The numbers of one base are given in order: each try but the first few is a new one.
    if let known = numbers[UTF8Key(text: base)] { number = known }
    while taken?["\(base)-\(number)"] != nil || copies["\(base)-\(number)"] != nil { number += 1 }
    numbers[UTF8Key(text: base)] = number + 1
    copies["\(base)-\(number)"] = schema
    return "\(base)-\(number)"
  }

  /// By name: the number of the next copy.
  private var numbers: [UTF8Key: Int] = [:]

  /// The target of a reference, if a copy of it can be made.
  private mutating func target(of reference: String) -> (schema: JSON, size: Int)? {
    let key = UTF8Key(text: reference)
    if let known = targets[key] { return known }
    let found = Self.pointer(reference).flatMap { pointer in
      copied(at: pointer, in: document).flatMap { schema in
        size(ofCopy: schema).map { (schema: schema, size: $0) }
      }
    }
    targets[key] = .some(found)
    return found
  }

  /// The location in the document that a reference names; nil for one by name.
  private static func pointer(_ reference: String) -> JSONPointer? {
    guard reference.utf8.first == UInt8(ascii: "#"),
      let fragment = PercentEncoding.decoded(String(reference.dropFirst()))
    else { return nil }
    return JSONPointer(fragment)
  }

  /// The value at a location; nil if there is none, or if it is inside a schema with an `$id`, in which references have
  /// another meaning.
  private func copied(at pointer: JSONPointer, in document: JSONObject) -> JSON? {
    guard !pointer.tokens.isEmpty else { return .object(withoutFrame(document)) }
    var value = JSON.object(document)
    for (depth, token) in pointer.tokens.enumerated() {
      if depth > 0, case .object(let members) = value, isNamed(members) { return nil }
      guard let next = value.value(at: JSONPointer(tokens: [token])) else { return nil }
      value = next
    }
    return value
  }

  /// The root as a schema among others.
  private func withoutFrame(_ document: JSONObject) -> JSONObject {
    let frame = ["$schema", dialect.draft.identifierKeyword, "$vocabulary", "$defs", "definitions"]
    return JSONObject(
      uncheckedMembers: document.filter { member in !frame.contains { $0.hasSameUTF8(as: member.name) } }
    )
  }

  /// How many bytes of text count as a value.
  private static let bytesOfValue = 32

  /// How many values something has.
  private static func size(of value: JSON) -> Int {
    switch value {
    case .object(let members): members.reduce(1) { $0 + $1.name.utf8.count / bytesOfValue + size(of: $1.value) }
    case .array(let elements): elements.reduce(1) { $0 + size(of: $1) }
    case .string(let text): 1 + text.utf8.count / bytesOfValue
    default: 1
    }
  }

  /// The same; nil if a schema with a name may be among them.
  private func size(ofCopy value: JSON) -> Int? { isAnyNamed(in: value) ? nil : Self.size(of: value) }

  private func isAnyNamed(in value: JSON) -> Bool {
    switch value {
    case .object(let members): isNamed(members) || members.contains { isAnyNamed(in: $0.value) }
    case .array(let elements): elements.contains(where: isAnyNamed)
    default: false
    }
  }

  /// Whether a schema can be referred to by a name of its own.
  private func isNamed(_ members: JSONObject) -> Bool {
    [dialect.draft.identifierKeyword, "$anchor", "$dynamicAnchor"].contains { members[$0]?.stringValue != nil }
      || members["$recursiveAnchor"] == true
  }

  /// Copies the targets outside of the definitions into them, and leads the references there. A target that cannot be
  /// copied may then not be written into.
  private mutating func moveTargets(of references: [String]) {
    var moved: [UTF8Key: String] = [:]
    for reference in references {
      let key = UTF8Key(text: reference)
      guard moved[key] == nil, let pointer = Self.pointer(reference),
        pointer.tokens.first.map({ $0 != "$defs" && $0 != "definitions" }) ?? true
      else { continue }
      guard let (schema, _) = target(of: reference) else {
        mayWrite = false
        return
      }
      let name = addDefinition(schema, named: pointer.tokens.last)
      moved[key] = "#/\(definitionsName)/\(JSONPointer.escape(name))"
    }
    guard !moved.isEmpty else { return }
    var definitions = document[definitionsName]?.objectValue ?? [:]
    for copy in copies { definitions[copy.name] = copy.value }
    document[definitionsName] = .object(definitions)
    copies = [:]
    targets = [:]
    let led = JSON.object(document).mappingSchemas(dialect, entersResources: false) { members in
      for name in Self.references {
        if let text = members[name]?.stringValue, let location = moved[UTF8Key(text: text)] {
          members[name] = .string(location)
        }
      }
    }
    document = led.objectValue ?? document
  }
}

extension JSON {
  /// The schema with each schema in it changed, the outer ones first.
  ///
  /// - Parameter entersResources: whether schemas inside a schema with an `$id`, which is a document of its own, are
  ///   included.
  fileprivate func mappingSchemas(
    _ dialect: Dialect,
    entersResources: Bool,
    isRoot: Bool = true,
    _ change: (inout JSONObject) -> Void
  ) -> JSON {
    guard case .object(var members) = self else { return self }
    if !isRoot, !entersResources, members[dialect.draft.identifierKeyword]?.stringValue != nil { return self }
    change(&members)
    func mapped(_ schema: JSON) -> JSON {
      schema.mappingSchemas(dialect, entersResources: entersResources, isRoot: false, change)
    }
    for member in members {
      switch (dialect.nesting(of: member.name), member.value) {
      case (.value?, let schema): members[member.name] = mapped(schema)
      case (.elements?, .array(let schemas)), (.valueOrElements?, .array(let schemas)):
        members[member.name] = .array(schemas.map(mapped))
      case (.valueOrElements?, let schema): members[member.name] = mapped(schema)
      case (.members?, .object(let schemas)), (.someMembers?, .object(let schemas)):
        members[member.name] = .object(
          JSONObject(uncheckedMembers: schemas.map { JSONObject.Member(name: $0.name, value: mapped($0.value)) })
        )
      default: break
      }
    }
    return .object(members)
  }
}
