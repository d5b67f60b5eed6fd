internal import Formats
internal import JSON
internal import Texts

/// Writes a schema and the targets of its references as one document.
struct BundleWriter {
  /// A part of a document that becomes the root of the bundle or one of its definitions.
  private struct Frame {
    var location: Int
    /// Its location in the bundle.
    var pointer: JSONPointer
  }

  private let references: SchemaReferences
  /// By schema: the references in it.
  private let referencesOfSchema: [Int: [SchemaReferences.Reference]]
  /// The URI of the schema, with a slash at the end: the URIs of files begin with this.
  private let baseURI: String
  /// Whether the schema is only a reference to a file: then the content of the file holds, in its dialect.
  private let isOnlyReference: Bool
  /// Whether references name locations of the bundle. Otherwise they name files by identifiers.
  private let isByLocation: Bool
  /// The dialect of the root of the bundle.
  private let dialect: Dialect
  /// The root first.
  private var frames: [Frame] = []
  /// By location: the position among ``frames``.
  private var frameIndex: [Int: Int] = [:]

  private var registry: SchemaRegistry { references.registry }

  init(_ references: SchemaReferences, baseURI: String) {
    self.references = references
    self.baseURI = baseURI
    referencesOfSchema = Dictionary(grouping: references.all, by: \.location)
    let first = references.all.first {
      $0.location == 0 && $0.keyword == "$ref" && references.document(of: $0.target) != 0
    }
    isOnlyReference =
      first != nil && references.all.allSatisfy { references.document(of: $0.target) != 0 }
      && Self.isOnlyReference(references.registry.locations[0].value)
    let main = isOnlyReference ? first?.target ?? 0 : 0
    let dialect = references.dialect(of: main)
    self.dialect = dialect
    let schemas = references.schemas.subtracting(isOnlyReference ? [0] : [])
    isByLocation = !references.areDynamic && schemas.allSatisfy { references.dialect(of: $0) == dialect }
    // A whole file replaces the schema that only refers to it.
    addFrame(references.registry.locations[main].parent < 0 ? main : 0, JSONPointer.root)
    addDefinitions()
  }

  private static func isOnlyReference(_ schema: JSON) -> Bool {
    schema.objectValue?.allSatisfy { ["$schema", "$comment", "$ref"].contains($0.name) } ?? false
  }

  // MARK: Frames

  private mutating func addFrame(_ location: Int, _ pointer: JSONPointer) {
    frameIndex[location] = frames.count
    frames.append(Frame(location: location, pointer: pointer))
  }

  /// `$defs`, or before 2019-09 `definitions`.
  private var definitionsName: String { dialect.draft.definitionsKeyword }

  /// The targets of references in files: by location the outermost parts, else the files as a whole.
  private mutating func addDefinitions() {
    let targets = references.all.map(\.target).filter { references.document(of: $0) != 0 }
    let known = Set(targets)
    // By name: the next number for another of that name.
    var numbers: [UTF8Key: Int] = [:]
    var names = Set(
      registry.locations[frames[0].location].value[definitionsName]?.objectValue?.map { UTF8Key(text: $0.name) } ?? []
    )
    for target in targets {
      var top = target
      var ancestor = target
      while registry.locations[ancestor].parent >= 0 {
        ancestor = registry.locations[ancestor].parent
        if !isByLocation || known.contains(ancestor) { top = ancestor }
      }
      guard frameIndex[top] == nil else { continue }
      let base = name(of: top)
      var name = base
      var number = numbers[UTF8Key(text: base)] ?? 2
      while !names.insert(UTF8Key(text: name)).inserted {
        name = "\(base)-\(number)"
        number += 1
      }
      numbers[UTF8Key(text: base)] = number
      addFrame(top, JSONPointer(tokens: [definitionsName, name]))
    }
  }

  /// The name of a definition: the file's name without `.schema.json`, or the last name on the way to a location in the
  /// file.
  private func name(of location: Int) -> String {
    guard registry.locations[location].parent < 0 else { return registry.locations[location].token }
    let path = URIReference(registry.documents[references.document(of: location)]).path
    var name = PercentEncoding.decoded(path.split(separator: "/").last.map(String.init) ?? "") ?? ""
    for suffix in [".json", ".schema"] where name.hasSuffix(suffix) { name.removeLast(suffix.utf8.count) }
    return name.isEmpty ? "schema" : name
  }

  /// The root of a location's document.
  private func root(of location: Int) -> Int {
    var ancestor = location
    while registry.locations[ancestor].parent >= 0 { ancestor = registry.locations[ancestor].parent }
    return ancestor
  }

  /// The pointer to a location in the bundle.
  private func pointer(of location: Int) -> JSONPointer {
    var tokens: [String] = []
    var ancestor = location
    while ancestor >= 0 {
      if let frame = frameIndex[ancestor] {
        return JSONPointer(tokens: frames[frame].pointer.tokens + tokens.reversed())
      }
      tokens.append(registry.locations[ancestor].token)
      ancestor = registry.locations[ancestor].parent
    }
    return JSONPointer(tokens: tokens.dropLast().reversed())
  }

  // MARK: Writing

  var bundle: SchemaBundle {
    guard frames.count > 1 || frames[0].location != 0 else {
      return SchemaBundle(document: registry.locations[0].value, absences: absences, parts: [])
    }
    var document = written(frames[0].location)
    if case .object(var members) = document, frames.count > 1 {
      var definitions = members[definitionsName]?.objectValue ?? [:]
      for frame in frames.dropFirst() { definitions[frame.pointer.tokens[1]] = written(frame.location) }
      members[definitionsName] = .object(definitions)
      document = .object(members)
    }
    let parts = frames.map { frame in
      let document = references.document(of: frame.location)
      return SchemaBundle.Part(
        pointer: frame.pointer,
        origin: SchemaBundle.Origin(
          document: document == 0 ? "" : registry.documents[document],
          pointer: registry.pointer(of: frame.location)
        )
      )
    }
    return SchemaBundle(document: document, absences: absences, parts: parts)
  }

  private var absences: [JSONPointer: SchemaFileError] {
    Dictionary(
      references.absences.map { (pointer(of: $0.location).appending($0.keyword), $0.error) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// A value of a document as the bundle contains it.
  private func written(_ location: Int) -> JSON {
    switch registry.locations[location].value {
    case .object(let members):
      var result = JSONObject(
        uncheckedMembers: members.map { member in
          let inner = registry.knownChild(of: location, member.name)
          return JSONObject.Member(name: member.name, value: inner.map(written) ?? member.value)
        }
      )
      if references.schemas.contains(location) { writeIdentity(of: location, into: &result) }
      return .object(result)
    case .array(let elements):
      return .array(
        elements.enumerated().map { registry.knownChild(of: location, String($0.offset)).map(written) ?? $0.element }
      )
    case let value: return value
    }
  }

  /// Writes the references and identifiers of a schema.
  private func writeIdentity(of location: Int, into members: inout JSONObject) {
    for reference in referencesOfSchema[location] ?? [] { members[reference.keyword] = .string(text(of: reference)) }
    if !isByLocation {
      if registry.locations[location].parent < 0 { identify(location, &members) }
    } else if location != frames[0].location {
      let identifier = references.dialect(of: location).draft.identifierKeyword
      for name in [identifier, "$schema", "$anchor", "$dynamicAnchor"] { members[name] = nil }
    } else if location == 0, isOnlyReference, let target = referencesOfSchema[0]?.first?.target {
      members["$schema"] = registry.locations[root(of: target)].value["$schema"]
    }
  }

  /// Makes the root of a document a schema resource that may be embedded in another document (core, section 9.3.1).
  private func identify(_ location: Int, _ members: inout JSONObject) {
    let resource = registry.resources[registry.locations[location].resource]
    let draft = resource.dialect.draft
    if draft.hidesSiblingsOfReferences, let reference = members["$ref"] {
      // Before 2019-09 nothing beside a `$ref` counted, an `$id` neither.
      members = [
        "$schema": members["$schema"] ?? .string(draft.metaSchemaURI), "allOf": [["$ref": reference]],
        "definitions": members["definitions"] ?? [:],
      ]
    }
    members[draft.identifierKeyword] = .string(published(resource.uriText))
    if members["$schema"] == nil { members["$schema"] = .string(draft.metaSchemaURI) }
  }

  /// A reference as the bundle contains it.
  private func text(of reference: SchemaReferences.Reference) -> String {
    if isByLocation {
      // A pointer as a fragment: RFC 6901, section 6.
      let pointer = pointer(of: reference.target).description
      return "#" + PercentEncoding.encoded(pointer, keeping: URISyntax.isInFragment)
    }
    guard references.document(of: reference.target) != references.document(of: reference.location) else {
      return reference.text
    }
    let uri = registry.uri(of: reference.text, from: reference.location)
    let resource = registry.resourceByURI[uri.withoutFragment].map { registry.resources[$0].uriText }
    return published(resource ?? uri.withoutFragment) + (uri.fragment.map { "#" + $0 } ?? "")
  }

  /// A URI without the folder of the files on this machine.
  private func published(_ uri: String) -> String {
    uri.utf8.starts(with: baseURI.utf8)
      ? "form:/" + String(decoding: uri.utf8.dropFirst(baseURI.utf8.count), as: UTF8.self) : uri
  }
}
