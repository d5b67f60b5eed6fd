internal import CYaml
internal import JSON
internal import SourceTexts

/// Reads YAML by libyaml's events into a tree.
///
/// libyaml stops at the first problem. So the reader reports a problem, removes its line, and reads the rest again, up
/// to ``repairsMax`` times. One mistake is then one problem, and the text behind it is read.
///
/// Of several documents the first is read. Names are the text of their scalars. An alias means the value that its
/// anchor names, and the copied values have the alias's position. All aliases together add ``aliasValuesMax`` values at
/// most. `<<` is a name like others.
struct YAMLReader {
  /// How many problems of syntax are removed.
  static let repairsMax = 10
  /// How many values aliases may add (a few lines of nested aliases can mean billions).
  static let aliasValuesMax = 100_000

  /// An open container.
  private enum Frame {
    case sequence
    /// With the name of the member whose value comes next.
    case mapping(ScannedTreeBuilder.Name?)
  }

  /// The value that an anchor names.
  private enum Anchored {
    /// Something that is not closed yet.
    case open
    /// The value of that number.
    case value(Int)
    /// A text that is a name.
    case name(String)
  }

  private let text: YAMLText
  private let limits: JSONLimits
  private let numbers: JSONNumbers
  private(set) var builder = ScannedTreeBuilder()
  private var frames: [Frame] = []
  private var anchors: [String: Anchored] = [:]
  /// The anchors of the open containers; nil for a container without one.
  private var openAnchors: [String?] = []
  private var isBlock: [Bool] = []
  /// Behind the last value.
  private var lastEnd = 0
  /// How many objects and arrays are open that are not kept.
  private var skipped = 0
  private var aliasValues = 0
  private var documents = 0
  private var isEnded = false

  /// Reads a text.
  static func read(_ source: SourceText, _ limits: JSONLimits, _ numbers: JSONNumbers) -> ScannedText {
    guard source.bytes.count <= ScannedTreeBuilder.bytesMax else {
      var builder = ScannedTreeBuilder()
      builder.report(SyntaxProblem(.nodes, at: 0..<0, "the text has more than 1 GiB; split it"), loses: true)
      return builder.finish(source, syntax: .lines)
    }
    var text = YAMLText(source)
    var problems: [SyntaxProblem] = []
    var unread: [UnreadLine] = []
    while true {
      var reader = YAMLReader(text, limits, numbers)
      let failure = reader.readEvents()
      if let failure {
        problems.append(failure.problem)
        let goesOn = problems.count <= repairsMax && text.blank(failure.line)
        unread.append(UnreadLine(failure.line, of: source, isLast: !goesOn))
        if goesOn { continue }
      }
      reader.closeAll()
      for problem in text.problems { reader.builder.report(problem) }
      for problem in problems { reader.builder.report(problem, loses: true) }
      for line in unread { reader.builder.mark(line, in: source) }
      return reader.builder.finish(source, syntax: .lines)
    }
  }

  private init(_ text: YAMLText, _ limits: JSONLimits, _ numbers: JSONNumbers) {
    self.text = text
    self.limits = limits
    self.numbers = numbers
  }

  // MARK: Events

  /// Reads until the end; returns the problem that libyaml found, if any.
  private mutating func readEvents() -> YAMLText.Failure? {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else {
      return text.failure("out of memory")
    }
    defer { yaml_parser_delete(&parser) }
    let text = text
    return text.bytes.withUnsafeBufferPointer { bytes in
      // The encoding is set, so libyaml does not look for a byte order mark.
      let content = UnsafeBufferPointer(rebasing: bytes[text.start...])
      yaml_parser_set_input_string(&parser, content.baseAddress, content.count)
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      while !isEnded {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else { return text.failure(of: parser) }
        defer { yaml_event_delete(&event) }
        read(event)
      }
      return nil
    }
  }

  private mutating func read(_ event: yaml_event_t) {
    let range = text.range(of: event)
    switch event.type {
    case YAML_STREAM_END_EVENT: isEnded = true
    case YAML_DOCUMENT_START_EVENT:
      documents += 1
      if documents > 1 {
        builder.report(
          SyntaxProblem(.documents, at: range, "a second document begins here, and only the first is read; remove it")
        )
        isEnded = true
      }
    case YAML_SCALAR_EVENT:
      let data = event.data.scalar
      let content = String(decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
      readScalar(content, data.style, String(yaml: data.anchor), String(yaml: data.tag), range)
    case YAML_ALIAS_EVENT: readAlias(String(yaml: event.data.alias.anchor) ?? "", range)
    case YAML_MAPPING_START_EVENT:
      let data = event.data.mapping_start
      open(
        object: true,
        String(yaml: data.anchor),
        String(yaml: data.tag),
        isBlock: data.style != YAML_FLOW_MAPPING_STYLE,
        range
      )
    case YAML_SEQUENCE_START_EVENT:
      let data = event.data.sequence_start
      open(
        object: false,
        String(yaml: data.anchor),
        String(yaml: data.tag),
        isBlock: data.style != YAML_FLOW_SEQUENCE_STYLE,
        range
      )
    case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: close(range)
    default: break
    }
  }

  /// Whether a value may be added; without one there is nothing more to read.
  private mutating func mayAdd(_ range: Range<Int>) -> Bool {
    if builder.count < limits.nodesMax { return true }
    let message = "there are more than \(limits.nodesMax) values; the rest is not read"
    builder.report(SyntaxProblem(.nodes, at: range.lowerBound..<range.lowerBound, message), loses: true)
    isEnded = true
    return false
  }

  // MARK: Names and values

  /// Whether a member's name comes next.
  private var isNameNext: Bool {
    if case .mapping(nil)? = frames.last { true } else { false }
  }

  private mutating func setName(_ name: ScannedTreeBuilder.Name?) {
    frames[frames.count - 1] = .mapping(name)
  }

  /// The name of the value that comes next; nil in an array and at the top.
  private mutating func takeName() -> ScannedTreeBuilder.Name? {
    guard case .mapping(let name)? = frames.last else { return nil }
    setName(nil)
    return name
  }

  private mutating func readScalar(
    _ content: String,
    _ style: yaml_scalar_style_t,
    _ anchor: String?,
    _ tag: String?,
    _ range: Range<Int>
  ) {
    guard skipped == 0, mayAdd(range) else { return }
    let isPlain = style == YAML_PLAIN_SCALAR_STYLE
    let isBlock = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE
    let range = isBlock ? text.trimmed(range) : range
    lastEnd = max(lastEnd, range.upperBound)
    if isNameNext {
      if let anchor { anchors[anchor] = .name(content) }
      return setName(.init(content, in: range))
    }
    let name = takeName()
    if let anchor { anchors[anchor] = .value(builder.count) }
    do throws(CoreSchema.Complaint) {
      builder.add(try CoreSchema.value(content, isPlain: isPlain, tag: tag, numbers: numbers), in: range, name: name)
    } catch {
      builder.report(SyntaxProblem(error.code, at: range, error.message), loses: error.value == nil)
      builder.add(error.value, in: range, name: name)
    }
  }

  private mutating func open(object: Bool, _ anchor: String?, _ tag: String?, isBlock: Bool, _ range: Range<Int>) {
    // libyaml's work for a token grows with the depth, so that reading ends here.
    guard builder.depth + skipped < limits.depthMax else {
      let message = "values are nested deeper than \(limits.depthMax) levels here; reduce the nesting"
      builder.report(SyntaxProblem(.depth, at: range, message), loses: true)
      isEnded = true
      return
    }
    if skipped > 0 {
      skipped += 1
      return
    }
    guard mayAdd(range) else { return }
    if isNameNext {
      builder.report(
        SyntaxProblem(.nameType, at: range, "a name must be a text, not a list or a map; write a text"),
        loses: true
      )
      setName(.init(nil, in: range.lowerBound..<range.lowerBound))
      skipped = 1
      return
    }
    let name = takeName()
    if let tag, tag != "!", tag != (object ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq") {
      builder.report(SyntaxProblem(.tag, at: range, "JSON has no such tag; remove it"))
    }
    if let anchor { anchors[anchor] = .open }
    openAnchors.append(anchor)
    self.isBlock.append(isBlock)
    builder.open(object: object, at: range.lowerBound, name: name)
    frames.append(object ? .mapping(nil) : .sequence)
    lastEnd = max(lastEnd, range.lowerBound)
  }

  private mutating func close(_ range: Range<Int>) {
    if skipped > 0 {
      skipped -= 1
      lastEnd = max(lastEnd, text.trimmed(min(lastEnd, range.upperBound)..<range.upperBound).upperBound)
      return
    }
    if let anchor = openAnchors.removeLast() { anchors[anchor] = .value(builder.number) }
    frames.removeLast()
    // A block ends at the next token, and its text before that.
    if !isBlock.removeLast() { lastEnd = max(lastEnd, range.upperBound) }
    builder.close(at: lastEnd)
  }

  // MARK: Aliases

  private mutating func readAlias(_ anchor: String, _ range: Range<Int>) {
    guard skipped == 0, mayAdd(range) else { return }
    lastEnd = max(lastEnd, range.upperBound)
    if isNameNext {
      if let text = anchoredText(anchor) { return setName(.init(text, in: range)) }
      builder.report(
        SyntaxProblem(.nameType, at: range, "this alias is not a text, so it cannot be a name; write the name"),
        loses: true
      )
      return setName(.init(nil, in: range))
    }
    let name = takeName()
    switch anchors[anchor] {
    case .name(let text): builder.add(.string(text), in: range, name: name)
    case .value(let number):
      let size = builder.size(of: number)
      let isTooDeep = builder.depth + builder.height(of: number) > limits.depthMax
      guard aliasValues + size <= Self.aliasValuesMax, builder.count + size <= limits.nodesMax, !isTooDeep else {
        let message =
          isTooDeep
          ? "with this alias, values are nested deeper than \(limits.depthMax) levels; reduce the nesting"
          : "aliases add more than \(Self.aliasValuesMax) values; use fewer aliases"
        builder.report(SyntaxProblem(.alias, at: range, message), loses: true)
        return builder.add(nil, in: range, name: name)
      }
      aliasValues += size
      builder.add(copyOf: number, in: range, name: name)
    case .open, nil:
      let message =
        anchors[anchor] == nil
        ? "there is no anchor &\(anchor.prefix(60)) before this; write the value, or an existing anchor"
        : "an alias is not allowed inside its own anchor; write the value"
      builder.report(SyntaxProblem(.alias, at: range, message), loses: true)
      builder.add(nil, in: range, name: name)
    }
  }

  private func anchoredText(_ anchor: String) -> String? {
    switch anchors[anchor] {
    case .name(let text): text
    case .value(let number): builder.value(of: number)?.stringValue
    case .open, nil: nil
    }
  }

  // MARK: The end

  /// Closes the open containers at the position at which reading stopped.
  private mutating func closeAll() {
    if skipped == 0, case .mapping(let name?)? = frames.last {
      builder.add(nil, in: max(lastEnd, name.range.upperBound)..<max(lastEnd, name.range.upperBound), name: name)
    }
    for _ in frames { builder.close(at: lastEnd, isClosed: false) }
  }
}

extension String {
  /// A text of libyaml's; nil if there is none.
  fileprivate init?(yaml text: UnsafeMutablePointer<yaml_char_t>?) {
    guard let text else { return nil }
    self.init(cString: text)
  }
}
