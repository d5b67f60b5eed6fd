internal import CEL
internal import JSON

/// Reads the tree of a definition's schema: what values consist of, their types in expressions, and where rules stand.
struct StructuralSchemaReader {
  /// A schema, or one that stands in an `allOf` and speaks of the same values.
  private struct Layer {
    let source: JSON
    /// Where it stands in the schema of its version.
    let location: JSONPointer

    func inner(_ tokens: String...) -> Layer? {
      source.value(at: tokens[...]).map { Layer(source: $0, location: JSONPointer(tokens: location.tokens + tokens)) }
    }
  }

  /// A node with rules.
  struct Ruled {
    let schema: StructuralSchema
    /// Each rule, and where it stands in the document.
    let rules: [(source: JSON, pointer: JSONPointer, location: JSONPointer)]
    /// Whether what its values were before can be known.
    let isCorrelatable: Bool
  }

  /// Where the schema stands in its document.
  private let pointer: JSONPointer
  private var nodes = 0
  /// The types of objects.
  private(set) var records: [RecordDeclaration] = []
  /// The nodes with rules, what is further inside first.
  private(set) var ruled: [Ruled] = []
  private(set) var faults: [DefinitionFault] = []

  init(pointer: JSONPointer) {
    self.pointer = pointer
  }

  /// Reads the schema of a resource.
  mutating func readResource(_ source: JSON) -> StructuralSchema {
    read(Layer(source: source, location: .root), [], isResource: true, isCorrelatable: true)
  }

  /// Reads a schema.
  ///
  /// - Parameters:
  ///   - main: the schema.
  ///   - others: what stands in the `allOf` of schemas further out, and speaks of the same values.
  private mutating func read(
    _ main: Layer,
    _ others: [Layer],
    isResource: Bool,
    isCorrelatable: Bool
  ) -> StructuralSchema {
    let id = nodes
    nodes += 1
    let firstInside = ruled.count
    let layers = ([main] + others).flatMap(withAllOf)
    for layer in layers { reportMisplacedRules(in: layer) }
    let isResource = isResource || main.source["x-kubernetes-embedded-resource"] == true
    let shape = self.shape(main, Array(layers.dropFirst()), isResource: isResource, isCorrelatable)
    let rules = layers.flatMap { layer in
      (layer.source["x-kubernetes-validations"]?.arrayValue ?? []).enumerated().map { index, rule in
        let location = layer.location.appending("x-kubernetes-validations").appending(index)
        return (source: rule, pointer: place(location), location: location)
      }
    }
    let schema = StructuralSchema(
      id: id,
      location: main.location,
      shape: shape,
      type: type(of: shape, id: id),
      source: main.source,
      isResource: isResource,
      hasRules: !rules.isEmpty || ruled.count > firstInside
    )
    if !rules.isEmpty { ruled.append(Ruled(schema: schema, rules: rules, isCorrelatable: isCorrelatable)) }
    return schema
  }

  /// A place in the version's schema as one in the document.
  private func place(_ location: JSONPointer) -> JSONPointer {
    JSONPointer(tokens: pointer.tokens + location.tokens)
  }

  private func withAllOf(_ layer: Layer) -> [Layer] {
    let branches = layer.source["allOf"]?.arrayValue ?? []
    return [layer] + branches.indices.compactMap { layer.inner("allOf", String($0)) }.flatMap(withAllOf)
  }

  /// Alternatives have no rules: whether one of them holds would hang on another one.
  private mutating func reportMisplacedRules(in layer: Layer) {
    for keyword in ["anyOf", "oneOf", "not"] {
      guard let inner = layer.inner(keyword), let found = Self.placeOfRules(in: inner.source, inner.location) else {
        continue
      }
      faults.append(
        DefinitionFault(
          at: place(found),
          code: "x-kubernetes-validations",
          "rules cannot stand within \(keyword); put them beside properties"
        )
      )
    }
  }

  private static func placeOfRules(in source: JSON, _ location: JSONPointer) -> JSONPointer? {
    switch source {
    case .array(let elements):
      return elements.indices.lazy.compactMap { placeOfRules(in: elements[$0], location.appending($0)) }.first
    case .object(let members):
      if members["x-kubernetes-validations"] != nil { return location.appending("x-kubernetes-validations") }
      return members.lazy.compactMap { placeOfRules(in: $0.value, location.appending($0.name)) }.first
    default: return nil
    }
  }

  // MARK: Shapes

  private mutating func shape(
    _ main: Layer,
    _ others: [Layer],
    isResource: Bool,
    _ isCorrelatable: Bool
  ) -> StructuralSchema.Shape {
    let source = main.source
    if source["x-kubernetes-int-or-string"] == true { return .integerOrText }
    switch source["type"]?.stringValue {
    case "string"?: return .text(source["format"]?.stringValue)
    case "integer"?: return .integer
    case "number"?: return .number
    case "boolean"?: return .truth
    case "array"?:
      guard let items = main.inner("items") else { return .unknown }
      let kind = listKind(source)
      var isFollowed = false
      if case .map = kind { isFollowed = isCorrelatable }
      return .list(
        read(items, others.compactMap { $0.inner("items") }, isResource: false, isCorrelatable: isFollowed),
        kind
      )
    case "object"?:
      let isFollowed = isCorrelatable && source["x-kubernetes-map-type"] != "atomic"
      if let values = main.inner("additionalProperties"), values.source.objectValue != nil {
        let inner = others.compactMap { $0.inner("additionalProperties") }
        return .map(read(values, inner, isResource: false, isCorrelatable: isFollowed))
      }
      return .object(properties(main, others, isResource: isResource, isFollowed))
    case nil where isResource: return .object(properties(main, others, isResource: true, isCorrelatable))
    // What is no type is told by JSON Schema.
    default: return .unknown
    }
  }

  private func listKind(_ source: JSON) -> StructuralSchema.ListKind {
    switch source["x-kubernetes-list-type"]?.stringValue {
    case "set"?: .set
    case "map"?:
      .map(keys: (source["x-kubernetes-list-map-keys"]?.arrayValue ?? []).compactMap(\.stringValue))
    default: .atomic
    }
  }

  private mutating func properties(
    _ main: Layer,
    _ others: [Layer],
    isResource: Bool,
    _ isCorrelatable: Bool
  ) -> [StructuralSchema.Property] {
    var properties: [StructuralSchema.Property] = []
    func add(_ name: String, _ schema: StructuralSchema) {
      let readableName = schema.type == nil ? nil : EscapedName.escape(name)
      properties.append(StructuralSchema.Property(name: name, readableName: readableName, schema: schema))
    }
    for member in main.source["properties"]?.objectValue ?? [:] {
      if isResource, StructuralSchema.resourceMembers.contains(member.name) { continue }
      guard let inner = main.inner("properties", member.name) else { continue }
      let more = others.compactMap { $0.inner("properties", member.name) }
      add(member.name, read(inner, more, isResource: false, isCorrelatable: isCorrelatable))
    }
    guard isResource else { return properties }
    // Of the metadata expressions have the names alone, whatever the schema says of it.
    let text: JSON = ["type": "string"]
    let metadata: JSON = [
      "type": "object", "x-kubernetes-preserve-unknown-fields": true,
      "properties": ["name": text, "generateName": text],
    ]
    for (name, source) in [("apiVersion", text), ("kind", text), ("metadata", metadata)] {
      let layer = Layer(source: source, location: main.location.appending("properties").appending(name))
      add(name, read(layer, [], isResource: false, isCorrelatable: isCorrelatable))
    }
    return properties
  }

  // MARK: Types

  private mutating func type(of shape: StructuralSchema.Shape, id: Int) -> CELType? {
    switch shape {
    case .object(let properties):
      // No expression can write a name with a slash.
      let name = "/\(id)"
      var fields: [String: RecordDeclaration.Field] = [:]
      for property in properties {
        guard let readableName = property.readableName, let type = property.schema.type else { continue }
        fields[readableName] = RecordDeclaration.Field(type: type)
      }
      records.append(RecordDeclaration(name: name, fields: fields))
      return .object(name)
    case .map(let values): return values.type.map { .map(.string, $0) }
    case .list(let elements, _): return elements.type.map { .list($0) }
    case .text("byte"?): return .bytes
    case .text("duration"?): return .duration
    case .text("date"?), .text("date-time"?): return .timestamp
    case .text: return .string
    case .integer: return .int
    case .number: return .double
    case .truth: return .bool
    case .integerOrText: return .dyn
    case .unknown: return nil
    }
  }
}
