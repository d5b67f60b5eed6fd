/// Writes views on a terminal that cannot move its cursor (`TERM=dumb`), one below the other. The terminal itself shows what is typed
/// and gives whole lines.
package struct LinePainter {
  private let hasColor: Bool
  private var last: View?

  /// A painter.
  package init(hasColor: Bool) {
    self.hasColor = hasColor
  }

  /// What to write when this is to be seen: nothing when it was asked already.
  package mutating func draw(_ view: View) -> String {
    defer { last = view }
    if view.isBusy {
      return last?.isBusy == true ? "" : view.below.map { $0.rendered(hasColor: hasColor) + "\n" }.joined()
    }
    guard view.number != last?.number || last?.isBusy == true else { return "" }
    let lines = (view.above + view.below).map { $0.rendered(hasColor: hasColor) + "\n" }
    return lines.joined() + view.prompt.rendered(hasColor: hasColor)
  }

  /// What to write so that the notes are read.
  package mutating func leave(_ notes: [Note]) -> String {
    notes.map { note in
      if case .said(let line) = note { line.rendered(hasColor: hasColor) + "\n" } else { "" }
    }.joined()
  }
}
