internal import CustomResources
internal import DataTexts
internal import Findings
internal import JSON
internal import JSONSchema

/// A file with definitions of custom resources, among whatever else.
struct DefinitionFile: Sendable {
  /// What the file defines, in its order; where something is wrong, the rest.
  private(set) var definitions: [CustomResourceDefinition] = []
  /// What is wrong, where it stands.
  private(set) var diagnostics: [Diagnostic] = []

  /// Reads the definitions of a file.
  ///
  /// - Parameters:
  ///   - language: nil where the file's ending says it; what has no such ending is YAML, which JSON is, too.
  ///   - limits: bounds for schemas and rules, and for judging by them.
  init(_ bytes: [UInt8], file: String, language: FileLanguage?, limits: SchemaLimits) {
    for text in FileText.texts(of: bytes, language ?? FileLanguage(fileName: file) ?? .yaml) {
      switch text.read(file: file) {
      case .faults(let faults): diagnostics += faults
      case .value(let document):
        for object in ResourceObject.objects(of: document) where CustomResourceDefinition.isDefinition(object.value) {
          do throws(DefinitionError) {
            definitions.append(try CustomResourceDefinition(object.value, limits: limits))
          } catch {
            diagnostics += Self.diagnostics(error, of: object, in: text, file: file)
          }
        }
      }
    }
    if definitions.isEmpty, diagnostics.isEmpty {
      diagnostics.append(
        Diagnostic(
          file: file,
          code: "kind",
          message: "there is no definition of custom resources: no document is of kind CustomResourceDefinition"
        )
      )
    }
  }

  private static func diagnostics(
    _ error: DefinitionError,
    of object: ResourceObject,
    in text: FileText,
    file: String
  ) -> [Diagnostic] {
    var collector = DiagnosticCollector(file: file, text: text.scanned())
    for fault in error.faults {
      let spot = fault.codePoints.map { DiagnosticCollector.Spot.codePoint($0.place, $0.extent) }
      let pointer = JSONPointer(tokens: object.pointer.tokens + fault.pointer.tokens)
      collector.report(fault.code, at: pointer, spot: spot ?? .value, fault.message)
    }
    return collector.diagnostics.map(text.moved)
  }
}
