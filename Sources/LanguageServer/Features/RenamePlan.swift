internal import CEL
internal import JSON
internal import JSONRPC
internal import SourceTexts

/// The edits of a rename: the names in all documents of a form, and of the other forms that read its schema files.
///
/// It plans an edit for every name that it can see. ``RenameTrial`` finds out whether that is enough.
struct RenamePlan {
  /// The new name.
  let name: String
  /// By definition: its symbols that get the name, also those that must not change.
  private(set) var symbols: [String: Set<FormSymbol>]
  /// By document, in order: the ranges that are replaced, in order, each with its text.
  private(set) var edits: [(key: String, edits: [Edit])] = []
  /// The definition from which the user renames.
  private let form: String

  /// A range, and the text that replaces it: the name, or the name in brackets and quotes.
  struct Edit {
    let range: Range<Int>
    let text: String
  }

  /// A mention of a symbol in a document.
  private struct Mention: Hashable {
    let key: String
    let range: Range<Int>
  }

  /// - Throws: why the name is invalid, or invalid where one of the symbols is mentioned.
  init(
    of symbols: Set<FormSymbol>,
    formAt form: String,
    to name: String,
    in workspace: inout Workspace
  ) throws(RPCError) {
    guard Self.isName(name) else {
      throw .failed("\(JSON.string(name)) is not a valid name: use letters, digits, _, - and .")
    }
    self.name = name
    self.form = form
    self.symbols = [form: symbols]
    collect(in: &workspace)
    try checkAreFree(in: &workspace)
    try checkFormulas(in: &workspace)
  }

  /// Whether a name needs no escapes in ids, in addresses and in the quotes of formulas. Letters of every script are
  /// allowed.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0.value > 0x7f ? $0.properties.isXIDContinue : Printer.isIdentifier("_" + String($0)) || $0 == "-" || $0 == "."
      }
  }

  /// Whether a name is a word of another script. Behind a dot of a formula, it is written in brackets and quotes.
  private static func isForeignWord(_ name: String) -> Bool {
    name.unicodeScalars.contains { $0.value > 0x7f } && !name.unicodeScalars.contains { $0 == "-" || $0 == "." }
      && name.unicodeScalars.first.map { $0.properties.isXIDStart || $0 == "_" } ?? false
  }

  /// Whether a name can be written without quotes behind a dot of a formula.
  private static func isMember(_ name: String) -> Bool {
    Printer.isIdentifier(name) && !["true", "false", "null", "in"].contains(name)
  }

  // MARK: Mentions

  /// Finds the mentions, and the other symbols that are named there. A shared schema names a field of every schema that
  /// refers to it.
  private mutating func collect(in workspace: inout Workspace) {
    let sharing = workspace.formKeys.filter { workspace.form(at: $0)?.refersToFiles ?? false }
    var named: [String: [(key: String, names: FormNames)]] = [:]
    for form in Set(sharing + symbols.keys) { named[form] = workspace.allNames(formAt: form) }
    var mentions: Set<Mention> = []
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (form, documents) in named {
        for (key, names) in documents {
          for occurrence in names.occurrences {
            let mention = Mention(key: key, range: occurrence.range)
            let isMeant = symbols[form]?.contains(occurrence.symbol) ?? false
            guard isMeant || mentions.contains(mention) else { continue }
            if mentions.insert(mention).inserted { isGrowing = true }
            if symbols[form, default: []].insert(occurrence.symbol).inserted { isGrowing = true }
          }
        }
      }
    }
    let byKey = Dictionary(grouping: mentions, by: \.key)
    // The form first.
    let forms = [form] + named.keys.sorted().filter { $0 != form }
    var seen: Set<String> = []
    edits = forms.flatMap { named[$0]?.map(\.key) ?? [] }.filter { seen.insert($0).inserted }
      .compactMap { key in
        byKey[key].map { mentions in
          (key, mentions.map { Edit(range: $0.range, text: name) }.sorted { $0.range.lowerBound < $1.range.lowerBound })
        }
      }
  }

  // MARK: Reasons against it

  private func checkAreFree(in workspace: inout Workspace) throws(RPCError) {
    for (form, symbols) in symbols {
      let taken = Set(workspace.allNames(formAt: form).flatMap { $0.names.occurrences.map(\.symbol) })
      for symbol in symbols where taken.contains(symbol.renamed(to: name)) && symbol.name != name {
        throw .failed("the form already has \(symbol.kindWithArticle) \(JSON.string(name)); write another name")
      }
    }
  }

  /// A formula names members behind dots, which not every name allows. A word of another script gets brackets there:
  /// `values.email` becomes `values['이메일']`.
  private mutating func checkFormulas(in workspace: inout Workspace) throws(RPCError) {
    guard !Self.isMember(name) else { return }
    for (position, (key, planned)) in edits.enumerated() {
      guard let text = workspace.texts.snapshot(of: key)?.text else { continue }
      for (index, edit) in planned.enumerated() where edit.range.lowerBound > 0 {
        var before = text.bytes[..<edit.range.lowerBound]
        let isOptional = before.last == UInt8(ascii: "?")
        if isOptional { before.removeLast() }
        guard before.last == UInt8(ascii: ".") else { continue }
        guard Self.isForeignWord(name) else {
          throw .failed(
            "\(text.location(of: edit.range.lowerBound, in: key)) has the name after a dot, "
              + "where \(JSON.string(name)) is not allowed: "
              + "use letters, digits and _, no digit first, and not true, false, null or in"
          )
        }
        edits[position].edits[index] = Edit(
          range: before.endIndex - 1..<edit.range.upperBound,
          text: "[\(isOptional ? "?" : "")'\(name)']"
        )
      }
    }
  }
}

extension FormSymbol {
  /// The kind of the symbol with its article, to follow "has".
  fileprivate var kindWithArticle: String {
    switch self {
    case .output, .action: "an \(kindName)"
    case .field, .lookup, .rule, .check, .step, .text, .function: "a \(kindName)"
    }
  }
}

extension SourceText {
  /// A byte as people find it: the file's name, line and column.
  func location(of offset: Int, in key: String) -> String { "\(DocumentURI.name(of: key)):\(position(of: offset))" }
}
