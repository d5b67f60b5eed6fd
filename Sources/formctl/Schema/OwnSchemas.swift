internal import DataLanguages
internal import Findings
internal import Formats
internal import JSON
internal import JSONSchema
internal import Synchronization

/// The schemas that values name in themselves, each compiled once.
final class OwnSchemas: Sendable {
  private let reading: SchemaReading
  private let library: SchemaLibrary
  private let assertsFormat: Bool
  private let limits: SchemaLimits
  /// By address.
  private let compiled = Mutex([String: Result<Schema, CommandFailure>]())

  init(_ reading: SchemaReading, _ references: SchemaReferenceFiles, assertsFormat: Bool, limits: SchemaLimits) {
    self.reading = reading
    library = references.library(folder: "")
    self.assertsFormat = assertsFormat
    self.limits = limits
  }

  /// The schema that a value names, or that its text names.
  ///
  /// - Throws: ``CommandFailure`` if none is named, or if it cannot be used. The same schema always fails with the same
  ///   error.
  func schema(for value: JSON, _ text: FileText, file: String) throws(CommandFailure) -> Schema {
    guard let name = value["$schema"]?.stringValue ?? Self.modeline(of: text) else {
      throw CommandFailure(
        message: "the value has no $schema; name a schema: formctl schema validate SCHEMA FILE"
      )
    }
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let base = URIReference(SchemaLibrary.uri(ofFolder: folder))
    let address = base.resolving(URIReference(name))
    let result = compiled.withLock { compiled in
      if let known = compiled[key(address)] { return known }
      let result: Result<Schema, CommandFailure>
      do throws(CommandFailure) { result = .success(try compile(address)) } catch { result = .failure(error) }
      compiled[key(address)] = result
      return result
    }
    return try result.get()
  }

  private func key(_ address: URIReference) -> String { address.withoutFragment + "#" + (address.fragment ?? "") }

  /// The schema that a comment in a YAML file names for editors (yaml-language-server, "Using inlined schema").
  private static func modeline(of text: FileText) -> String? {
    guard text.language == .yaml else { return nil }
    let mark = "# yaml-language-server: $schema="
    for line in text.bytes.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: mark.utf8) {
        let name = line.dropFirst(mark.utf8.count).prefix { $0 > 0x20 }
        return String(decoding: name, as: UTF8.self)
      }
      guard line.first == UInt8(ascii: "#") || line.starts(with: "---".utf8) || line.allSatisfy({ $0 <= 0x20 }) else {
        return nil
      }
    }
    return nil
  }

  private func compile(_ address: URIReference) throws(CommandFailure) -> Schema {
    let uri = address.withoutFragment
    let hasFragment = address.fragment?.isEmpty == false
    var document: JSON = ["$ref": .string(hasFragment ? key(address) : uri)]
    var isFile = false
    if !hasFragment, SchemaDraft(metaSchemaURI: uri) == nil {
      do throws(SchemaFileError) {
        document = try library.file(at: uri).document
        isFile = true
      } catch {
        let remedy = error == .notAFile ? "; name its file: --references ADDRESS=FILE" : ""
        throw CommandFailure(message: "its $schema \(uri) cannot be read: \(error.message)\(remedy)")
      }
    }
    let options = reading.options(
      library,
      baseURI: isFile ? uri : "",
      assertsFormat: assertsFormat,
      limits: limits
    )
    do throws(SchemaCompileError) {
      return try Schema.compile(document, options: options)
    } catch {
      let problem = error.problems[0]
      throw CommandFailure(message: "its $schema \(uri) cannot be used: \(problem.pointer): \(problem.text)")
    }
  }
}
