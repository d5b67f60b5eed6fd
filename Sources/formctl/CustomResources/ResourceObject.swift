internal import CustomResources
internal import Findings
internal import JSON

/// One object of a file.
struct ResourceObject {
  /// What the object says.
  let value: JSON
  /// Where it stands in its text: that is one object, or a list of several.
  let pointer: JSONPointer

  /// The objects of a text: itself, or the items of a `List`.
  static func objects(of document: JSON) -> [ResourceObject] {
    guard document["kind"] == "List", let items = document["items"]?.arrayValue else {
      return [ResourceObject(value: document, pointer: .root)]
    }
    let place = JSONPointer(tokens: ["items"])
    return items.enumerated().map { ResourceObject(value: $1, pointer: place.appending($0)) }
  }

  /// What makes two objects the same at different times: group, kind, namespace and name.
  var identity: [String] {
    [CustomResourceDefinition.groupAndVersion(of: value).group, kind]
      + ["namespace", "name"].map { value["metadata"]?[$0]?.stringValue ?? "" }
  }

  /// The kind; empty where none is said.
  var kind: String { value["kind"]?.stringValue ?? "" }

  /// The object as people call it: `Shop corner`.
  var name: String { [kind, value["metadata"]?["name"]?.stringValue].compactMap(\.self).joined(separator: " ") }
}

/// The objects that others take the place of.
struct OldObjects: Sendable {
  private var objects: [[String]: JSON] = [:]

  /// Reads the objects of files.
  ///
  /// - Throws: ``CommandFailure`` when a file cannot be read, or is broken.
  init(_ selection: FileSelection, language: FileLanguage?) throws(CommandFailure) {
    for entry in selection.entries {
      switch entry {
      case .trouble(let path, let trouble): throw CommandFailure(message: "\(path): \(trouble)")
      case .file(let file):
        for text in FileText.texts(of: try Console.readFile(file), language ?? FileLanguage(fileName: file) ?? .yaml) {
          switch text.read(file: file) {
          case .faults(let faults):
            throw CommandFailure(message: faults.map(\.description).joined(separator: "\n"))
          case .value(let document):
            for object in ResourceObject.objects(of: document) { objects[object.identity] = object.value }
          }
        }
      }
    }
  }

  /// What an object takes the place of; nil where it is new.
  subscript(object: ResourceObject) -> JSON? { objects[object.identity] }
}
