import FormImport
import Foundation
import JSON
import Testing

/// The inputs beside the tests.
enum Inputs {
  /// One import: its kind, its files and its options.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: ImportKind
    var files: [String]
    var component: String?

    var testDescription: String { name }

    /// The files with their texts.
    var inputs: [ImportInput] { files.map { ImportInput(Inputs.bytes(of: $0), file: $0) } }

    /// Imports the files.
    func form() throws -> ImportedForm {
      let name = name.split(separator: "/").last.map(String.init)
      return try kind.form(of: inputs, options: ImportOptions(name: name, component: component))
    }
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Inputs")

  static func bytes(of file: String) -> [UInt8] {
    (try? Data(contentsOf: folder.appending(path: file))).map { Array($0) } ?? []
  }

  static let cases: [Case] =
    [
      "pydantic/SignUp", "pydantic/User", "pydantic/Order", "pydantic/Odds", "pydantic/Node", "zod/Booking", "zod/Odds",
      "typebox/Shirt",
    ]
    .map { Case(name: $0, kind: .schema, files: [$0 + ".json"]) }
    + [
      Case(name: "openapi/Customer", kind: .schema, files: ["openapi/shop.json"], component: "Customer"),
      Case(name: "ninja/BookIn", kind: .schema, files: ["ninja/library.json"]),
      Case(name: "rjsf/person", kind: .rjsf, files: ["rjsf/person.schema.json", "rjsf/person.ui.json"]),
      Case(name: "rjsf/dependencies", kind: .rjsf, files: ["rjsf/dependencies.json"]),
      Case(name: "rjsf/playground", kind: .rjsf, files: ["rjsf/playground.json"]),
      Case(name: "html/signup", kind: .html, files: ["html/signup.html"], component: "signup"),
      Case(name: "html/login", kind: .html, files: ["html/login.html"]),
    ]
}
