internal import JSON
internal import SourceTexts

/// Gathers the losses of one input.
struct LossCollector {
  let input: ImportInput
  /// The input's text as JSON or YAML; nil for HTML.
  let text: ScannedText?
  /// The location in the input to which the locations of losses are relative.
  let base: JSONPointer
  /// The losses so far, in the order in which they were noted.
  private var losses: [Loss] = []
  private var known: Set<Loss> = []

  init(_ input: ImportInput, text: ScannedText? = nil, base: JSONPointer = .root) {
    self.input = input
    self.text = text
    self.base = base
  }

  /// The losses in the order of their places.
  var sorted: [Loss] {
    func start(_ loss: Loss) -> Int { loss.span?.bytes.lowerBound ?? 0 }
    // Losses at one place stay in the order in which they were noted.
    return losses.enumerated().sorted { (start($0.element), $0.offset) < (start($1.element), $1.offset) }.map(\.element)
  }

  /// Notes a loss at a value of the input, or at its name if it is a member. A page has no values, so the loss is
  /// about the whole page.
  ///
  /// - Parameter pointer: if it leads to nothing, the loss is at the nearest value around it.
  mutating func note(_ code: LossCode, at pointer: JSONPointer, _ message: String, remedy: String) {
    guard let text else {
      add(Loss(code: code, file: input.file, pointer: .root, span: nil, message: message, remedy: remedy))
      return
    }
    let node = text.nearestNode(to: JSONPointer(tokens: base.tokens + pointer.tokens))
    let span = TextSpan(node.keyRange ?? node.range, of: text.source)
    add(Loss(code: code, file: input.file, pointer: node.pointer, span: span, message: message, remedy: remedy))
  }

  /// Notes a loss at bytes of the input.
  mutating func note(_ code: LossCode, at bytes: Range<Int>, _ message: String, remedy: String) {
    let span = TextSpan(bytes, of: input.source)
    add(Loss(code: code, file: input.file, pointer: .root, span: span, message: message, remedy: remedy))
  }

  /// Notes each integer of the input that has more than 64 bits.
  mutating func noteLargeIntegers() {
    guard let text else { return }
    for problem in text.problems where problem.code == .integerRange {
      var node = text.root
      while let inner = node.children.first(where: { $0.range.contains(problem.range.lowerBound) }) { node = inner }
      let message = "an integer has at most 64 bits; the form has the nearest floating-point number, \(node.value)"
      let span = TextSpan(problem.range, of: text.source)
      add(
        Loss(
          code: .largeInteger,
          file: input.file,
          pointer: node.pointer,
          span: span,
          message: message,
          remedy: "if every digit matters, use a text with a pattern"
        )
      )
    }
  }

  /// A part that is used twice is read twice, and lost once.
  private mutating func add(_ loss: Loss) {
    if known.insert(loss).inserted { losses.append(loss) }
  }
}
