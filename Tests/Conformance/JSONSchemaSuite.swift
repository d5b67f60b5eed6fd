internal import Foundation
internal import JSON
internal import JSONSchema

/// Runs JSON Schema's own suite: required, optional, optional/format, annotations and output.
struct JSONSchemaSuite {
  private let folder: String
  private let documents: [String: JSON]

  /// `folder` is `json-schema` of the conformance folder.
  init(folder: String) {
    self.folder = folder
    var documents: [String: JSON] = [:]
    for file in VectorFile.allFiles(in: folder + "/remotes") {
      if case .success(let document) = file.read() { documents["http://localhost:1234/" + file.name] = document }
    }
    let output = VectorFile(name: "", path: folder + "/output-tests/draft2020-12/output-schema.json")
    if case .success(let document) = output.read() {
      documents["https://json-schema.org/draft/2020-12/output/schema"] = document
    }
    self.documents = documents
  }

  func run() -> [SuiteResult] {
    var results: [SuiteResult] = []
    for draft in SchemaDraft.allCases {
      let name = "draft" + draft.rawValue
      for (part, asserts) in [("", false), ("/optional", false), ("/optional/format", true)] {
        guard let files = VectorFile.files(in: folder + "/tests/" + name + part) else { continue }
        var result = SuiteResult(name: "json-schema/" + name + (part.isEmpty ? "/required" : part))
        for file in files { runValidation(file, draft, assertsFormat: asserts, &result) }
        results.append(result)
      }
    }
    if let files = VectorFile.files(in: folder + "/annotations") {
      var result = SuiteResult(name: "json-schema/annotations")
      for file in files { runAnnotations(file, &result) }
      results.append(result)
    }
    if let files = VectorFile.files(in: folder + "/output-tests/draft2020-12/content") {
      var result = SuiteResult(name: "json-schema/output-tests")
      for file in files { runOutput(file, &result) }
      results.append(result)
    }
    return results
  }

  private func compile(
    _ schema: JSON,
    _ draft: SchemaDraft = .draft2020,
    assertsFormat: Bool
  ) -> Result<Schema, SchemaCompileError> {
    let documents = documents
    let options = CompileOptions(assertsFormat: assertsFormat, draft: draft) { uri in documents[uri] }
    return Result { () throws(SchemaCompileError) in try Schema.compile(schema, options: options) }
  }

  /// The groups of a file. If the file cannot be read, this notes the reason and returns nil.
  private func groups(_ file: VectorFile, _ result: inout SuiteResult) -> [JSON]? {
    switch file.read() {
    case .success(let value):
      return value.arrayValue ?? value["suite"]?.arrayValue ?? []
    case .failure(let error):
      result.failed.append((file.name, "the file cannot be read: \(error)"))
      return nil
    }
  }

  // MARK: Validation

  /// Cases that do not apply to this project: by the beginning of their names, with the reason.
  private static let skipped: [(drafts: ClosedRange<SchemaDraft>, name: String, reason: String)] = [
    (
      .draft4 ... .draft6, "hostname.json: validation of host names: hostname with consecutive hyphens",
      "the labels of host names follow RFC 5890 in every draft"
    ),
    (.draft7 ... .draft7, "content.json: validation of", "content is an annotation, and is never decoded"),
  ]

  private func runValidation(
    _ file: VectorFile,
    _ draft: SchemaDraft,
    assertsFormat: Bool,
    _ result: inout SuiteResult
  ) {
    for group in groups(file, &result) ?? [] {
      let title = group["description"]?.stringValue ?? ""
      let compiled = compile(group["schema"] ?? .null, draft, assertsFormat: assertsFormat)
      for test in group["tests"]?.arrayValue ?? [] {
        let name = "\(file.name): \(title): \(test["description"]?.stringValue ?? "")"
        if let skip = Self.skipped.first(where: { $0.drafts.contains(draft) && name.hasPrefix($0.name) }) {
          result.skipped.append((name, skip.reason))
          continue
        }
        guard let data = test["data"], let isValid = test["valid"]?.boolValue else {
          result.failed.append((name, "not a test"))
          continue
        }
        switch compiled {
        case .failure(let error):
          result.failed.append((name, "the schema does not compile: \(error)"))
        case .success(let schema):
          let failures = schema.failures(of: data)
          let evaluation = schema.evaluate(data)
          if schema.validate(data) != isValid {
            result.failed.append((name, isValid ? "refused: \(failures.first?.message() ?? "")" : "accepted"))
          } else if failures.isEmpty != isValid || evaluation.isValid != isValid {
            result.failed.append((name, "validity, failures and evaluation disagree"))
          } else {
            result.passed += 1
          }
        }
      }
    }
  }

  // MARK: Annotations

  private func runAnnotations(_ file: VectorFile, _ result: inout SuiteResult) {
    for group in groups(file, &result) ?? [] {
      let title = group["description"]?.stringValue ?? ""
      let isOurs = Self.admits(group["compatibility"]?.stringValue ?? "", version: 2020)
      let compiled = compile(group["schema"] ?? .null, assertsFormat: false)
      for (number, test) in (group["tests"]?.arrayValue ?? []).enumerated() {
        for (position, assertion) in (test["assertions"]?.arrayValue ?? []).enumerated() {
          let name = "\(file.name): \(title): test \(number + 1), assertion \(position + 1)"
          if !isOurs {
            result.skipped.append((name, "the test is for dialects other than 2020-12"))
            continue
          }
          switch compiled {
          case .failure(let error):
            result.failed.append((name, "the schema does not compile: \(error)"))
          case .success(let schema):
            let found = annotations(of: schema, test["instance"] ?? .null, assertion)
            // The vectors write locations as URI fragments.
            let expected = JSONObject(
              (assertion["expected"]?.objectValue ?? [:]).map { ($0.name.removingPercentEncoding ?? $0.name, $0.value) }
            )
            if found == expected {
              result.passed += 1
            } else {
              result.failed.append((name, "found \(JSON.object(found)), expected \(JSON.object(expected))"))
            }
          }
        }
      }
    }
  }

  /// The annotations that an assertion asks about, by the location of their schema.
  private func annotations(of schema: Schema, _ instance: JSON, _ assertion: JSON) -> JSONObject {
    var found = JSONObject()
    let keyword = assertion["keyword"]?.stringValue ?? ""
    for annotation in schema.evaluate(instance).annotations
    where annotation.keyword == keyword && annotation.instanceLocation.description == assertion["location"]?.stringValue
    {
      let schema = JSONPointer(tokens: annotation.documentLocation.tokens.dropLast())
      found["#\(schema)"] = annotation.value
    }
    return found
  }

  /// `compatibility` has comma-separated versions; a plain one means "from this version on".
  private static func admits(_ compatibility: String, version: Int) -> Bool {
    compatibility.split(separator: ",").allSatisfy { part in
      if part.hasPrefix("<=") { return version <= Int(part.dropFirst(2)) ?? .max }
      if part.hasPrefix("=") { return version == Int(part.dropFirst()) }
      return version >= Int(part) ?? 0
    }
  }

  // MARK: Output

  private func runOutput(_ file: VectorFile, _ result: inout SuiteResult) {
    for group in groups(file, &result) ?? [] {
      let title = group["description"]?.stringValue ?? ""
      let compiled = compile(group["schema"] ?? .null, assertsFormat: false)
      for test in group["tests"]?.arrayValue ?? [] {
        for format in test["output"]?.objectValue ?? [:] {
          let name = "\(file.name): \(title): \(test["description"]?.stringValue ?? ""): \(format.name)"
          switch (compiled, compile(format.value, assertsFormat: true), OutputFormat(rawValue: format.name)) {
          case (.success(let schema), .success(let output), let form?):
            let rendered = schema.evaluate(test["data"] ?? .null).output(form)
            if let failure = output.failures(of: rendered).first {
              result.failed.append((name, "\(failure.keywordLocation): \(rendered)"))
            } else {
              result.passed += 1
            }
          case (.success, .success, nil):
            result.skipped.append((name, "the output format \(format.name) is optional in the standard"))
          default:
            result.failed.append((name, "a schema does not compile"))
          }
        }
      }
    }
  }
}
