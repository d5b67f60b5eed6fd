internal import JSON
internal import SourceTexts

/// The schemas of a document of OpenAPI of which a form can be made: its components, and the bodies of its requests.
struct OpenAPIRequests {
  /// The body of a request.
  private struct Body {
    /// Names of the request: its `operationId`, and its method and path.
    let names: [String]
    /// The location of the schema, behind a reference.
    let schema: JSONPointer
  }

  private let root: JSON
  /// The location of the components.
  private let block: JSONPointer
  private var bodies: [Body] = []

  /// The location of the schema with that name; without a name, of the only schema that a request sends.
  ///
  /// - Parameter name: a component, the `operationId` of a request, or its method and path, such as `POST /users`.
  static func schema(of root: JSON, _ input: ImportInput, _ name: String?) throws(UnreadableInput) -> JSONPointer {
    let requests = OpenAPIRequests(root)
    let components = root.value(at: requests.block)?.objectValue?.names ?? []
    let sent = requests.bodies.compactMap(\.names.first)
    let list = "the components are: \(listed(components)); the requests are: \(listed(sent))"
    if let name {
      if components.contains(name) { return requests.block.appending(name) }
      let body = requests.bodies.first { body in body.names.contains { $0.lowercased() == name.lowercased() } }
      if let body { return body.schema }
      throw UnreadableInput(input, "no component and no request with a body has the name \(name)", remedy: list)
    }
    let schemas = Set(requests.bodies.map(\.schema))
    if let only = schemas.first, schemas.count == 1 { return only }
    if schemas.isEmpty, components.count == 1 { return requests.block.appending(components[0]) }
    throw UnreadableInput(
      input,
      "this document has \(components.count) components and \(sent.count) requests with a body, and a form is made of one",
      remedy: components.isEmpty && sent.isEmpty
        ? "add the schema of a form to components/schemas"
        : "write --component NAME; \(list)"
    )
  }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", ..." : "")
  }

  private init(_ root: JSON) {
    self.root = root
    block = JSONPointer(tokens: root["swagger"] == nil ? ["components", "schemas"] : ["definitions"])
    for path in root["paths"]?.objectValue ?? JSONObject() {
      for operation in path.value.objectValue ?? JSONObject() {
        let place = JSONPointer(tokens: ["paths", path.name, operation.name])
        guard let schema = body(of: operation.value, at: place) else { continue }
        let request = "\(operation.name.uppercased()) \(path.name)"
        bodies.append(
          Body(names: [operation.value["operationId"]?.stringValue, request].compactMap(\.self), schema: schema)
        )
      }
    }
  }

  /// The location of the schema of a request's body; of several media types, the one of JSON. nil without a body.
  private func body(of operation: JSON, at place: JSONPointer) -> JSONPointer? {
    for (index, parameter) in (operation["parameters"]?.arrayValue ?? []).enumerated() where parameter["in"] == "body" {
      return target(place.appending("parameters").appending(index).appending("schema"))
    }
    guard let body = target(place.appending("requestBody")) else { return nil }
    let content = body.appending("content")
    let media = root.value(at: content)?.objectValue?.names ?? []
    guard let type = media.first(where: { $0.contains("json") }) ?? media.first else { return nil }
    return target(content.appending(type).appending("schema"))
  }

  /// The location behind references; nil if nothing is there.
  private func target(_ pointer: JSONPointer) -> JSONPointer? {
    var pointer = pointer
    for _ in 0..<32 {
      guard let value = root.value(at: pointer) else { return nil }
      guard let reference = value["$ref"]?.stringValue, reference.hasPrefix("#"),
        let next = JSONPointer(String(reference.dropFirst()))
      else { return pointer }
      pointer = next
    }
    return nil
  }
}
