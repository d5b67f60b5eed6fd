internal import JSON
internal import SourceTexts

/// Gathers the losses of one input.
struct LossCollector {
  /// The input.
  let input: ImportInput
  /// The input's text as JSON or YAML; nil for HTML.
  let text: ScannedText?
  /// The losses so far, in the order in which they were noted.
  private(set) var losses: [Loss] = []

  init(_ input: ImportInput, text: ScannedText? = nil) {
    self.input = input
    self.text = text
  }

  /// Notes a loss at a value of the input, or at its name if it is a member.
  ///
  /// - Parameter pointer: if it leads to nothing, the loss is at the nearest value around it.
  mutating func note(_ code: LossCode, at pointer: JSONPointer, _ message: String, remedy: String) {
    guard let text else { preconditionFailure("\(input.file) has no values, so no loss is at \(pointer)") }
    let node = text.nearestNode(to: pointer)
    let span = TextSpan(node.keyRange ?? node.range, of: text.source)
    add(Loss(code: code, file: input.file, pointer: node.pointer, span: span, message: message, remedy: remedy))
  }

  /// Notes a loss at bytes of the input.
  mutating func note(_ code: LossCode, at bytes: Range<Int>, _ message: String, remedy: String) {
    let span = TextSpan(bytes, of: input.source)
    add(Loss(code: code, file: input.file, pointer: .root, span: span, message: message, remedy: remedy))
  }

  /// A part that is used twice is read twice, and lost once.
  private mutating func add(_ loss: Loss) {
    if !losses.contains(loss) { losses.append(loss) }
  }
}
