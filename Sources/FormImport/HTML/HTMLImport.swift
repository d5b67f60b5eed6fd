internal import JSON
internal import SourceTexts

/// Makes a form of the form in a page.
enum HTMLImport {
  /// The form of the page, or of the page's form that `component` names.
  static func form(of input: ImportInput, _ options: ImportOptions) throws(UnreadableInput) -> ImportedForm {
    let bytes = input.source.bytes
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw UnreadableInput(input, "the page is not UTF-8", remedy: "save it as UTF-8")
    }
    guard let page = HTMLPage.read(bytes) else {
      throw UnreadableInput(input, "the page has no elements")
    }
    let all = page.descendants
    let forms = all.filter { $0.name == "form" }
    let chosen = options.component.map { name in forms.first { $0["id"] == name || $0["name"] == name } } ?? forms.first
    guard let form = chosen else {
      if forms.isEmpty, let found = RecognizedInput(input), found != .page, found != .yaml {
        throw found.error(input, expected: "a page of HTML")
      }
      let names = forms.compactMap { $0["id"] ?? $0["name"] }.joined(separator: ", ")
      throw UnreadableInput(
        input,
        options.component.map { "the page has no form \($0)" } ?? "the page has no form",
        remedy: forms.isEmpty
          ? "put the controls into an element <form>"
          : "write the id or the name of one of its forms: \(names)"
      )
    }
    var losses = LossCollector(input)
    for other in forms where options.component == nil && other !== form {
      losses.note(
        .otherForm,
        at: other.range,
        "the page has several forms, and the first one is imported",
        remedy: "write --component with the id or the name of another form"
      )
    }
    var reader = HTMLFormReader(page: page, form: form, all: all, losses: losses, name: options.name ?? input.formName)
    reader.read()
    losses = reader.losses
    let definition = reader.draft.accepted(&losses) { _ in nil }
    return ImportedForm(definition: definition, losses: losses.sorted)
  }
}
