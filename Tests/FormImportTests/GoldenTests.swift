import DataLanguages
import FormImport
import Forms
import Foundation
import JSON
import SourceTexts
import Testing

struct GoldenTests {
  @Test(arguments: Inputs.cases)
  func `an input gives this form and these losses`(input: Inputs.Case) throws {
    let form = try input.form()
    let losses = JSON.array(
      form.losses.map { loss in
        [
          "kind": .string(loss.kind.rawValue), "code": .string(loss.code.rawValue),
          "place": .string(
            loss.pointer.tokens.isEmpty ? "\(loss.span?.position.description ?? "")" : "\(loss.pointer)"
          ),
          "message": .string(loss.message),
        ]
      }
    )
    for (suffix, value) in [("form", form.definition), ("losses", losses)] {
      let file = Inputs.folder.appending(path: "\(input.name).\(suffix).json")
      let text = value.indentedText + "\n"
      if ProcessInfo.processInfo.environment["FORMD_REWRITE"] != nil {
        try Data(text.utf8).write(to: file)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }

  @Test(arguments: Inputs.cases)
  func `formd accepts each form`(input: Inputs.Case) throws {
    let text = try input.form().definition.description
    let compilation = Form.compile(Array(text.utf8))
    #expect(compilation.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    #expect(compilation.form != nil)
  }

  @Test(arguments: Inputs.cases)
  func `each loss has a place in an input`(input: Inputs.Case) throws {
    for loss in try input.form().losses { Self.expectPlace(of: loss, in: input.inputs) }
  }

  static func expectPlace(of loss: Loss, in inputs: [ImportInput]) {
    // A remedy is an imperative without a full stop, as all remedies of formd.
    #expect(loss.remedy.first?.isUppercase == false && !loss.remedy.hasSuffix("."), "\(loss.remedy)")
    guard let input = inputs.first(where: { $0.file == loss.file }) else {
      Issue.record("\(loss) is in no file")
      return
    }
    if let span = loss.span { #expect(span.bytes.upperBound <= input.source.bytes.count) }
    guard !loss.pointer.tokens.isEmpty else { return }
    let text = ScannedText(input.source, language: DataLanguage(fileName: input.file) ?? .json)
    #expect(text.node(at: loss.pointer) != nil, "\(loss.pointer)")
  }
}
