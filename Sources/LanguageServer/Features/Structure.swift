internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension DocumentHighlightParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [DocumentHighlight] {
    let key = DocumentURI.key(of: target.document.uri)
    guard let subject = workspace.subject(at: target), let names = workspace.formNames(of: key)?.names,
      let text = workspace.texts.snapshot(of: key)?.text
    else { return [] }
    var seen: Set<Range<Int>> = []
    return names.occurrences(of: subject.symbols).filter { seen.insert($0.range).inserted }.map {
      DocumentHighlight(
        range: text.range($0.range, in: workspace.encoding),
        kind: $0.isDefinition ? .write : .read
      )
    }
  }
}

extension Workspace {
  /// The values of a document of any kind; nil if it does not exist.
  mutating func scanned(_ key: String) -> ScannedText? {
    switch kind(of: key) {
    case .form?: form(at: key)?.scanned
    case .test?: test(at: key)?.scanned
    case .data?: data(at: key)?.scanned
    case .configuration?: texts.snapshot(of: key).map { ConfigurationText($0.text).scanned }
    case nil: nil
    }
  }
}

extension FoldingRangeParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [FoldingRange] {
    guard let scanned = workspace.scanned(DocumentURI.key(of: document.uri)) else { return [] }
    let source = scanned.source
    var found: [FoldingRange] = []
    var waiting = [scanned.root]
    while let node = waiting.popLast() {
      guard node.kind == .object || node.kind == .array else { continue }
      waiting += node.children
      let first = source.line(of: node.keyRange?.lowerBound ?? node.range.lowerBound)
      let end = source.line(of: max(node.range.lowerBound, node.range.upperBound - 1))
      // The line with the closing bracket stays.
      let last = scanned.syntax == .lines || !node.isClosed ? end : end - 1
      if last > first { found.append(FoldingRange(startLine: first, endLine: last)) }
    }
    found += commentBlocks(of: scanned)
    return found.sorted { ($0.startLine, $0.endLine) < ($1.startLine, $1.endLine) }
  }

  /// Comments of several lines.
  private func commentBlocks(of scanned: ScannedText) -> [FoldingRange] {
    let mark: [UInt8] = Array(scanned.syntax == .lines ? "#".utf8 : "//".utf8)
    var blocks: [FoldingRange] = []
    for line in 0..<scanned.source.lineCount {
      let bytes = scanned.source.bytes[scanned.source.line(line)].drop { $0 == 0x20 || $0 == 0x09 }
      guard bytes.starts(with: mark) else { continue }
      if let last = blocks.last, last.endLine == line - 1 {
        blocks[blocks.count - 1].endLine = line
      } else {
        blocks.append(FoldingRange(startLine: line, endLine: line, kind: "comment"))
      }
    }
    return blocks.filter { $0.endLine > $0.startLine }
  }
}

extension SelectionRangeParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> JSON {
    guard let scanned = workspace.scanned(DocumentURI.key(of: document.uri)) else { return [] }
    let source = scanned.source
    return .array(
      positions.map { position in
        var range: JSON?
        // From the outside inwards, because each range contains the ranges around it.
        for part in Self.ranges(around: source.offset(of: position, in: workspace.encoding), in: scanned).reversed() {
          var object: JSONObject = ["range": source.range(part, in: workspace.encoding).json]
          object["parent"] = range
          range = .object(object)
        }
        return range ?? ["range": TextRange(start: position, end: position).json]
      }
    )
  }

  /// The ranges around a byte, from the inside outwards: the content of a text, the value, the member, and so on.
  private static func ranges(around offset: Int, in scanned: ScannedText) -> [Range<Int>] {
    let path = scanned.path(atOffset: offset)
    var node: ScannedNode? = path.node
    var found: [Range<Int>] = []
    func add(_ range: Range<Int>) {
      guard range.lowerBound <= offset, offset <= range.upperBound, found.last != range,
        found.last.map({ range.lowerBound <= $0.lowerBound && $0.upperBound <= range.upperBound }) ?? true
      else { return }
      found.append(range)
    }
    if let key = path.node.keyRange {
      add(QuotedText(key, in: scanned.source.bytes).range)
      add(key)
    }
    if path.node.kind == .string { add(QuotedText(path.node.range, in: scanned.source.bytes).range) }
    while let current = node {
      if current.isClosed, current.range.count > 1, current.kind == .object || current.kind == .array,
        scanned.syntax != .lines
      {
        add(current.range.lowerBound + 1..<current.range.upperBound - 1)
      }
      add(current.range)
      if let key = current.keyRange { add(key.lowerBound..<max(key.upperBound, current.range.upperBound)) }
      node = current.parent
    }
    add(0..<scanned.source.bytes.count)
    return found
  }
}

extension DocumentLinkParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [DocumentLink] {
    let key = DocumentURI.key(of: document.uri)
    guard let text = workspace.texts.snapshot(of: key)?.text else { return [] }
    var links: [(range: Range<Int>, file: String)] = []
    switch workspace.kind(of: key) {
    case .form?:
      guard let scanned = workspace.form(at: key)?.scanned, let schema = scanned.root.child("schema") else { return [] }
      var waiting = [schema]
      while let node = waiting.popLast() {
        waiting += node.children
        guard node.key == "$ref", let reference = node.value.stringValue,
          let (file, _) = SchemaReference.target(of: reference, in: key), file != key
        else { continue }
        links.append((QuotedText(node.range, in: text.bytes).range, file))
      }
    case .test?:
      if let test = workspace.test(at: key), let form = test.scanned.root.child("form") {
        links.append((QuotedText(form.range, in: text.bytes).range, workspace.formKey(of: test)))
      }
    case .data?:
      switch workspace.data(at: key)?.reference {
      case .form(_, let range)?, .schema(_, let range)?:
        if let form = workspace.formKey(ofData: key) { links.append((QuotedText(range, in: text.bytes).range, form)) }
      case nil: break
      }
    case .configuration?, nil: break
    }
    return links.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter {
      workspace.texts.snapshot(of: $0.file) != nil
    }.map {
      DocumentLink(
        range: text.range($0.range, in: workspace.encoding),
        target: workspace.texts.uri(of: $0.file)
      )
    }
  }
}
