internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension CompletionParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> CompletionList {
    let key = DocumentURI.key(of: target.document.uri)
    guard let text = workspace.texts.snapshot(of: key)?.text else { return CompletionList() }
    let offset = text.offset(of: target.position, in: workspace.encoding)
    let suggestions: [Suggestion] =
      switch workspace.kind(of: key) {
      case .form?:
        workspace.form(at: key).map { form in
          DefinitionCompletion(of: form, configuration: workspace.configuredNames(for: key), at: offset).suggestions
        } ?? []
      case .configuration?:
        ConfigurationText(text).completions(at: offset)
      case .test?:
        workspace.test(at: key).map { test in
          TestCompletion(of: test, form: workspace.form(at: workspace.formKey(of: test)), at: offset).suggestions
        } ?? []
      case .data?:
        workspace.data(at: key).map { data in
          DataCompletion(
            of: data,
            by: workspace.formKey(ofData: key).flatMap { workspace.form(at: $0) },
            names: workspace.formNames,
            locale: workspace.settings.locale,
            at: offset
          ).suggestions
        } ?? []
      case nil: []
      }
    var list = CompletionList()
    list.isIncomplete = suggestions.count > Self.itemsMax
    list.items = suggestions.prefix(Self.itemsMax).enumerated().map { position, suggestion in
      suggestion.item(position, in: text, workspace)
    }
    return list
  }

  /// At most this many items are offered at once; the editor asks again while the user types.
  private static let itemsMax = 200
}

/// One item that completion offers.
struct Suggestion {
  var label: String
  var kind: CompletionItem.Kind
  var detail: String?
  var documentation: String?
  /// The bytes of the document that are replaced.
  var range: Range<Int>
  /// The replacement; `$0` is the caret's position after the completion.
  var text: String
  /// Whether the value has the type that is expected at the caret. Such suggestions come first.
  var fits = false

  func item(_ position: Int, in source: SourceText, _ workspace: Workspace) -> CompletionItem {
    var item = CompletionItem()
    item.label = label
    item.kind = kind
    item.detail = detail
    item.documentation = documentation.map { MarkupContent(value: $0) }
    let digits = String(position)
    item.sortText = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let hasCaret = text.utf8.contains(Self.caretByte)
    let plain = hasCaret ? text.replacing(Self.caret, with: "") : text
    let range = source.range(range, in: workspace.encoding)
    // Editors filter by the text that is typed already, so that the item must contain it. Without a `filterText`, they
    // use the label. Neovim 0.7 looks for the begin of the edit only in items without it.
    item.filterText = plain == label ? nil : plain
    if hasCaret, workspace.capabilities.takesSnippets {
      item.textFormat = 2
      let parts = text.split(separator: Self.caret, maxSplits: 1, omittingEmptySubsequences: false)
      item.edit = TextEdit(range: range, newText: parts.map { Self.asSnippet(String($0)) }.joined(separator: "$0"))
    } else {
      item.edit = TextEdit(range: range, newText: plain)
    }
    return item
  }

  /// Marks the caret in ``text``; no text of a form contains this character.
  static let caret = "\u{1}"
  private static let caretByte: UInt8 = 1

  /// Escapes a text, so that a snippet writes it unchanged (3.17, "Snippet Syntax").
  private static func asSnippet(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "\\$}".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
