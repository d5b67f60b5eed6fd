/// Writes views on a terminal that cannot move its cursor (`TERM=dumb`), one below the other. The terminal itself shows
/// the typed text and sends whole lines.
package struct LinePainter {
  private let hasColor: Bool
  private var last: View?

  /// Creates a painter.
  package init(hasColor: Bool) {
    self.hasColor = hasColor
  }

  /// The bytes that show the view; empty if this question is on the terminal already.
  package mutating func draw(_ view: View) -> String {
    defer { last = view }
    if view.isBusy {
      return last?.isBusy == true ? "" : view.below.map { $0.rendered(hasColor: hasColor) + "\n" }.joined()
    }
    guard view.number != last?.number || last?.isBusy == true else { return "" }
    let lines = (view.above + view.below).map { $0.rendered(hasColor: hasColor) + "\n" }
    return lines.joined() + view.prompt.rendered(hasColor: hasColor)
  }

  /// Forgets what is on the terminal, so that the next view is written again.
  package mutating func forget() { last = nil }

  /// The bytes that show the notes.
  package mutating func leave(_ notes: [Note]) -> String {
    notes.map { note in
      if case .said(let line) = note { line.rendered(hasColor: hasColor) + "\n" } else { "" }
    }.joined()
  }
}
