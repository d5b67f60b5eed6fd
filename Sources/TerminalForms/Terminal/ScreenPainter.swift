/// Draws views on a terminal that can move its cursor, each in place of the one before, below the earlier output. It is
/// a value that computes the bytes to write.
///
/// It breaks the lines itself, so that it knows the cursor's position. After a resize, the terminal has broken the
/// drawn rows again. The number of rows then follows from their widths.
package struct ScreenPainter {
  /// The size of the terminal.
  package var columns: Int
  package var rows: Int
  private let hasColor: Bool
  /// The view on the terminal, and its layout.
  private var drawn: (view: View, widthsUpToCursor: [Int], columns: Int)?

  /// Creates a painter for a terminal of that size.
  package init(columns: Int, rows: Int, hasColor: Bool) {
    self.columns = max(columns, 2)
    self.rows = max(rows, 2)
    self.hasColor = hasColor
  }

  /// Notes the new size of the terminal.
  package mutating func resize(columns: Int, rows: Int) {
    self.columns = max(columns, 2)
    self.rows = max(rows, 2)
  }

  /// Forgets what is on the terminal, because another program has used it. The next view is drawn where the cursor is.
  package mutating func forget() { drawn = nil }

  /// The bytes that draw the view in place of the previous one.
  package mutating func draw(_ view: View) -> String {
    if let drawn, drawn.view == view, drawn.columns == columns { return "" }
    var layout = layout(of: view, view.above[...])
    if let marked = view.marked, layout.rows.count > rows - 1 { layout = self.layout(of: view, around: marked) }
    let start = layout.firstShown(height: rows - 1)
    let shown = layout.rows[start...].prefix(rows - 1)
    let cursorRow = layout.cursor.row - start
    var output = erasure
    output += shown.map(\.text).joined(separator: "\r\n")
    if shown.count - 1 > cursorRow { output += "\u{1B}[\(shown.count - 1 - cursorRow)A" }
    output += "\r"
    if layout.cursor.column > 0 { output += "\u{1B}[\(layout.cursor.column)C" }
    let widths = shown.prefix(cursorRow).map(\.width) + [layout.cursor.column]
    drawn = (view, widths, columns)
    return output
  }

  /// The layout with as many lines around the marked line as the terminal has rows for.
  private func layout(of view: View, around marked: Int) -> Layout {
    var shown = marked..<marked + 1
    var layout = layout(of: view, view.above[shown])
    var isFull = false
    while !isFull {
      isFull = true
      for (before, after) in [(1, 0), (0, 1)] {
        let wider = max(shown.lowerBound - before, 0)..<min(shown.upperBound + after, view.above.count)
        let next = wider == shown ? layout : self.layout(of: view, view.above[wider])
        guard wider != shown, next.rows.count < rows else { continue }
        (shown, layout, isFull) = (wider, next, false)
      }
    }
    return layout
  }

  private func layout(of view: View, _ above: ArraySlice<StyledLine>) -> Layout {
    var layout = Layout(columns: columns, hasColor: hasColor)
    for line in above { layout.add(line) }
    layout.add(view.prompt, input: view.input, cursor: view.cursor)
    for line in view.below { layout.add(line) }
    return layout
  }

  /// The bytes that replace the view with lines that stay.
  package mutating func leave(_ lines: [StyledLine]) -> String {
    let output = erasure + lines.map { $0.rendered(hasColor: hasColor) + "\r\n" }.joined()
    drawn = nil
    return output
  }

  /// The bytes that move to the first row of the view, and clear from there on.
  private var erasure: String {
    guard let drawn else { return "" }
    let above = drawn.widthsUpToCursor.dropLast().reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    let up = above + (drawn.widthsUpToCursor.last ?? 0) / columns
    return "\r" + (up > 0 ? "\u{1B}[\(up)A" : "") + "\u{1B}[J"
  }
}

/// Lines broken into rows of a terminal.
private struct Layout {
  let columns: Int
  let hasColor: Bool
  private(set) var rows: [(text: String, width: Int)] = []
  private(set) var cursor = (row: 0, column: 0)

  init(columns: Int, hasColor: Bool) {
    self.columns = columns
    self.hasColor = hasColor
  }

  mutating func add(_ line: StyledLine) {
    rows.append(("", 0))
    for span in line.spans { put(span.text, span.style) }
  }

  /// Adds a prompt followed by the typed text. Line breaks in the text begin new rows.
  mutating func add(_ prompt: StyledLine, input: String, cursor position: Int) {
    add(prompt)
    let characters = Array(input)
    mark()
    for (offset, character) in characters.enumerated() {
      if offset == position { mark() }
      if character == "\n" { rows.append(("", 0)) } else { put(StyledLine.shown(String(character)), .plain) }
    }
    if position >= characters.count { mark() }
  }

  /// Marks the cursor's position. Behind the last column, the cursor moves to the next row.
  private mutating func mark() {
    if rows[rows.count - 1].width >= columns { rows.append(("", 0)) }
    cursor = (rows.count - 1, rows[rows.count - 1].width)
  }

  private mutating func put(_ text: String, _ style: StyledLine.Style) {
    var run = ""
    for character in text {
      let width = character.columns
      if rows[rows.count - 1].width + width > columns {
        rows[rows.count - 1].text += StyledLine.rendered(run, style, hasColor: hasColor)
        run = ""
        rows.append(("", 0))
      }
      run.append(character)
      rows[rows.count - 1].width += width
    }
    rows[rows.count - 1].text += StyledLine.rendered(run, style, hasColor: hasColor)
  }

  /// The first row to draw if the view is too high: the last rows are drawn, but always with the cursor's row.
  func firstShown(height: Int) -> Int {
    min(max(rows.count - height, 0), cursor.row)
  }
}
