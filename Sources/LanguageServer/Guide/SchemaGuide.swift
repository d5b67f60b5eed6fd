internal import JSON
internal import JSONSchema
internal import Texts

/// The members and values that a JSON Schema allows at a location of an unfinished document, for completion and hover.
///
/// It does not validate: it accepts every alternative, and skips keywords that it does not know.
struct SchemaGuide: Sendable {
  /// A schema that applies at a location, without the schemas that it refers to.
  struct Part {
    let schema: JSONObject
    /// The last name of the reference that led to it: the schema of forms names such values so.
    let name: String?
    /// The document in which its references are resolved.
    fileprivate let root: JSON
  }

  private let root: JSON
  /// Other documents, by the URI in references.
  private let documents: @Sendable (String) -> JSON?

  /// At most this many parts are read for one location, because a schema may refer to itself without end.
  private static let partsMax = 400

  /// A guide by that schema.
  init(_ root: JSON, documents: @escaping @Sendable (String) -> JSON? = { _ in nil }) {
    self.root = root
    self.documents = documents
  }

  /// A guide for schemas, by the meta-schema.
  static let ofSchemas: SchemaGuide = {
    let base = "https://json-schema.org/draft/2020-12/"
    let read: @Sendable (String) -> JSON? = { name in MetaSchemas.document(of: base + name) }
    return SchemaGuide(read("schema") ?? true, documents: read)
  }()

  // MARK: Locations

  /// The schemas that apply at a location; none if the schema does not describe it.
  func parts(at tokens: some Sequence<String>) -> [Part] {
    tokens.reduce(rootParts) { parts(in: $0, at: $1) }
  }

  /// The schemas that apply to the whole document.
  var rootParts: [Part] { expand(root, root: root) }

  /// The schemas that apply one step further in.
  func parts(in parts: [Part], at token: String) -> [Part] {
    Array(parts.flatMap { step($0, token) }.prefix(Self.partsMax))
  }

  /// The members that an object at a location may have, each once, in the order of the schemas.
  func members(of parts: [Part]) -> [(name: String, parts: [Part])] {
    var names: [String] = []
    var found: [UTF8Key: [Part]] = [:]
    for part in parts {
      for property in part.schema["properties"]?.objectValue ?? [:] where property.value != false {
        let key = UTF8Key(text: property.name)
        if found[key] == nil { names.append(property.name) }
        found[key, default: []] += expand(property.value, root: part.root)
      }
    }
    return names.map { ($0, found[UTF8Key(text: $0)] ?? []) }
  }

  /// The schemas for the names of an object's further members; empty if there are none.
  func nameParts(of parts: [Part]) -> [Part] {
    parts.flatMap { part in part.schema["propertyNames"].map { expand($0, root: part.root) } ?? [] }
  }

  // MARK: Words

  /// The description of a location.
  static func description(of parts: [Part]) -> String? {
    parts.lazy.compactMap { $0.schema["description"]?.stringValue }.first
  }

  /// The title of a location.
  static func title(of parts: [Part]) -> String? {
    parts.lazy.compactMap { $0.schema["title"]?.stringValue }.first
  }

  /// The names of the types that a value may have, each once.
  static func types(of parts: [Part]) -> [String] {
    var types: [String] = []
    for part in parts {
      let written = part.schema["type"]
      for type in written?.arrayValue?.compactMap(\.stringValue) ?? [written?.stringValue].compactMap(\.self)
      where !types.contains(type) {
        types.append(type)
      }
    }
    return types
  }

  /// The values that the schemas name, each with its meaning. Required values come before suggestions.
  static func values(of parts: [Part]) -> [(value: JSON, meaning: String?)] {
    var found: [(value: JSON, meaning: String?)] = []
    func add(_ value: JSON, _ meaning: String?) {
      if let known = found.firstIndex(where: { $0.value == value }) {
        if found[known].meaning == nil { found[known].meaning = meaning }
      } else {
        found.append((value, meaning))
      }
    }
    for part in parts {
      if let value = part.schema["const"] { add(value, part.schema["title"]?.stringValue) }
      for value in part.schema["enum"]?.arrayValue ?? [] { add(value, nil) }
    }
    if types(of: parts).contains("boolean") { for value in [true, false] as [JSON] { add(value, nil) } }
    for part in parts {
      for value in part.schema["examples"]?.arrayValue ?? [] where value.objectValue == nil && value.arrayValue == nil {
        add(value, "for example")
      }
      if let value = part.schema["default"], value.objectValue == nil { add(value, "the default") }
    }
    return found
  }

  // MARK: Parts

  private func step(_ part: Part, _ token: String) -> [Part] {
    var schemas: [JSON] = []
    if let property = part.schema["properties"]?[token] {
      schemas.append(property)
    } else if let others = part.schema["additionalProperties"], others.objectValue != nil {
      schemas.append(others)
    }
    if let index = JSONPointer.arrayIndex(token) {
      let first = part.schema["prefixItems"]?.arrayValue ?? []
      if index < first.count {
        schemas.append(first[index])
      } else {
        schemas += [part.schema["items"]].compactMap(\.self)
      }
    }
    return schemas.flatMap { expand($0, root: part.root) }
  }

  /// A schema, and the schemas that apply with it at the same location.
  private func expand(_ schema: JSON, root: JSON) -> [Part] {
    var parts: [Part] = []
    var waiting: [(schema: JSON, root: JSON, name: String?)] = [(schema, root, nil)]
    var followed: Set<String> = []
    while !waiting.isEmpty, parts.count < Self.partsMax {
      let (schema, root, name) = waiting.removeFirst()
      guard case .object(let object) = schema else { continue }
      parts.append(Part(schema: object, name: name, root: root))
      for keyword in ["$ref", "$dynamicRef"] {
        guard let reference = object[keyword]?.stringValue else { continue }
        guard let (target, document) = resolve(reference, in: root),
          followed.insert("\(reference)\(document == root)").inserted
        else { continue }
        waiting.append((target, document, reference.split(separator: "/").last.map(String.init)))
      }
      for keyword in ["allOf", "anyOf", "oneOf"] {
        waiting += (object[keyword]?.arrayValue ?? []).map { ($0, root, name) }
      }
      for keyword in ["then", "else"] { if let branch = object[keyword] { waiting.append((branch, root, name)) } }
      waiting += (object["dependentSchemas"]?.objectValue ?? [:]).map { ($0.value, root, name) }
    }
    return parts
  }

  private func resolve(_ reference: String, in root: JSON) -> (schema: JSON, root: JSON)? {
    // In the meta-schema the dynamic reference means the whole meta-schema.
    if reference == "#meta" { return (self.root, self.root) }
    if reference == "#" { return (root, root) }
    if reference.hasPrefix("#") {
      return JSONPointer(String(reference.dropFirst())).flatMap { root.value(at: $0) }.map { ($0, root) }
    }
    if let document = documents(reference) { return (document, document) }
    // A bundle contains its other documents in its definitions.
    let bundled = root["$defs"]?.objectValue?.first { $0.value["$id"]?.stringValue == reference }
    return bundled.map { ($0.value, $0.value) }
  }
}
