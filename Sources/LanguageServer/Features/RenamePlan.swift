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
  /// By document, in order: the ranges that the name replaces, in order.
  private(set) var edits: [(key: String, ranges: [Range<Int>])] = []
  /// The definition from which the user renames.
  private let form: String

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

  /// Whether a name needs no escapes in ids, in addresses and in the quotes of formulas.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && Printer.isIdentifier("_" + name.filter { $0 != "-" && $0 != "." })
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
        byKey[key].map { (key, $0.map(\.range).sorted { $0.lowerBound < $1.lowerBound }) }
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

  /// A formula names members behind dots, which not every name allows.
  private func checkFormulas(in workspace: inout Workspace) throws(RPCError) {
    guard !Self.isMember(name) else { return }
    for (key, ranges) in edits {
      guard let text = workspace.texts.snapshot(of: key)?.text else { continue }
      for range in ranges where range.lowerBound > 0 {
        var before = text.bytes[..<range.lowerBound]
        if before.last == UInt8(ascii: "?") { before.removeLast() }
        guard before.last == UInt8(ascii: ".") else { continue }
        throw .failed(
          "\(text.location(of: range.lowerBound, in: key)) has the name after a dot, "
            + "where \(JSON.string(name)) is not allowed: "
            + "use letters, digits and _, no digit first, and not true, false, null or in"
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
    case .field, .lookup, .rule, .check, .step, .text: "a \(kindName)"
    }
  }
}

extension SourceText {
  /// A byte as people find it: the file's name, line and column.
  func location(of offset: Int, in key: String) -> String { "\(DocumentURI.name(of: key)):\(position(of: offset))" }
}
