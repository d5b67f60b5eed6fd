internal import Testing

@testable internal import TerminalForms

/// A terminal of a few lines, as far as the painter needs one: text, CR, LF, and the sequences A, C and J.
private struct Paper {
  let columns: Int
  var rows: [[Character]] = [[]]
  var row = 0
  var column = 0

  mutating func write(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    var printable = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" || scalar == "\r" || scalar == "\n" {
        put(String(printable))
        printable = String.UnicodeScalarView()
      }
      switch scalar {
      case "\r": column = 0
      case "\n":
        row += 1
        if row == rows.count { rows.append([]) }
      case "\u{1B}":
        rest.removeFirst()
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest.removeFirst(digits.count)
        let number = Int(String(String.UnicodeScalarView(digits))) ?? 0
        switch rest.removeFirst() {
        case "A": row -= number
        case "C": column += number
        case "J":
          rows.removeSubrange((row + 1)...)
          rows[row] = Array(rows[row].prefix(column))
        default: break
        }
      default: printable.append(scalar)
      }
    }
    put(String(printable))
  }

  private mutating func put(_ text: String) {
    for character in text {
      #expect(column + character.columns <= columns, "written beyond the last column")
      while rows[row].count < column { rows[row].append(" ") }
      rows[row] = Array(rows[row].prefix(column)) + [character] + (character.columns == 2 ? ["\u{0}"] : [])
      column += character.columns
    }
  }

  var lines: [String] { rows.map { String($0.filter { $0 != "\u{0}" }) } }
}

struct PainterTests {
  private func view(_ prompt: String, _ input: String, cursor: Int? = nil, below: [StyledLine] = []) -> View {
    var view = View()
    view.prompt = StyledLine(prompt)
    view.input = input
    view.cursor = cursor ?? input.count
    view.below = below
    return view
  }

  @Test func `a view takes the place of the one before`() {
    var painter = ScreenPainter(columns: 20, rows: 10, hasColor: false)
    var paper = Paper(columns: 20)
    paper.write(painter.draw(view("Email: ", "kim@", below: ["That is no address."])))
    #expect(paper.lines == ["Email: kim@", "That is no address."])
    #expect((paper.row, paper.column) == (0, 11))
    paper.write(painter.draw(view("Email: ", "kim@a.b", cursor: 2)))
    #expect(paper.lines == ["Email: kim@a.b"])
    #expect((paper.row, paper.column) == (0, 9))
    paper.write(painter.leave(["Email: kim@a.b"]) + painter.draw(view("Name: ", "")))
    #expect(paper.lines == ["Email: kim@a.b", "Name: "])
    #expect(painter.draw(view("Name: ", "")) == "")
  }

  @Test func `wide characters break where they do not fit, and the cursor stands behind them`() {
    var painter = ScreenPainter(columns: 5, rows: 10, hasColor: false)
    var paper = Paper(columns: 5)
    paper.write(painter.draw(view("이름: ", "홍길동")))
    #expect(paper.lines == ["이름:", " 홍길", "동"])
    #expect((paper.row, paper.column) == (2, 2))
    paper.write(painter.draw(view("이름: ", "홍길동", cursor: 1)))
    #expect((paper.row, paper.column) == (1, 3))
    paper.write(painter.draw(view("a: ", "bc")))
    #expect(paper.lines == ["a: bc", ""])
    #expect((paper.row, paper.column) == (1, 0))
  }

  @Test func `a text of several lines is drawn as such`() {
    var painter = ScreenPainter(columns: 20, rows: 10, hasColor: false)
    var paper = Paper(columns: 20)
    paper.write(painter.draw(view("Text: ", "one\n\ntwo", cursor: 4)))
    #expect(paper.lines == ["Text: one", "", "two"])
    #expect((paper.row, paper.column) == (1, 0))
  }

  @Test func `after a resize it goes up as many rows as the terminal has made of what it drew`() {
    var painter = ScreenPainter(columns: 20, rows: 10, hasColor: false)
    _ = painter.draw(view("Email: ", "kim@example.com"))
    painter.resize(columns: 10, rows: 10)
    // 20 columns and the cursor at column 2 of the next row: three rows of ten, and the cursor in the third.
    #expect(painter.draw(view("Email: ", "kim@example.com")).hasPrefix("\r\u{1B}[2A\u{1B}[J"))
  }

  /// A list of choices by number, one of them marked.
  private func choices(_ count: Int, marked: Int, _ text: String = "") -> View {
    var view = View()
    view.above = (0..<count).map { StyledLine("\($0 == marked ? ">" : " ") \($0)\(text)") }
    view.marked = marked
    view.prompt = "color: "
    view.below = ["none"]
    return view
  }

  @Test func `the marked line is drawn even if the lines around it are broken`() {
    for marked in 0..<6 {
      var painter = ScreenPainter(columns: 20, rows: 6, hasColor: false)
      let lines = painter.draw(choices(6, marked: marked, " and a text that is long")).split(separator: "\r\n").map(
        String.init
      )
      #expect(lines.count <= 5 && lines.contains { $0.hasPrefix("> \(marked)") }, "\(lines)")
    }
  }

  @Test func `the marked line is drawn on a terminal of few rows`() {
    var painter = ScreenPainter(columns: 20, rows: 6, hasColor: false)
    for marked in 0..<10 {
      let view = choices(10, marked: marked)
      painter.forget()
      var paper = Paper(columns: 20)
      paper.write(painter.draw(view))
      let lines = paper.rows.map { String($0) }
      #expect(lines.count <= 5 && lines.contains("> \(marked)") && lines.contains("none"), "\(lines)")
    }
  }

  @Test func `what does not fit is cut, and the row of the cursor is there`() {
    var painter = ScreenPainter(columns: 20, rows: 4, hasColor: false)
    var paper = Paper(columns: 20)
    var tall = view("Choose: ", "")
    tall.above = (1...9).map { StyledLine("choice \($0)") }
    paper.write(painter.draw(tall))
    #expect(paper.lines == ["choice 8", "choice 9", "Choose: "])
    paper.write(painter.draw(view("Text: ", "1\n2\n3\n4\n5\n6", cursor: 0)))
    #expect(paper.lines == ["Text: 1", "2", "3"])
    #expect((paper.row, paper.column) == (0, 6))
  }

  @Test func `a terminal that cannot draw over gets a question once`() {
    var painter = LinePainter(hasColor: false)
    var view = view("Email: ", "")
    view.number = 1
    view.above = ["We write to you."]
    #expect(painter.draw(view) == "We write to you.\nEmail: ")
    view.input = "kim"
    #expect(painter.draw(view) == "")
    view.isBusy = true
    view.below = ["checking …"]
    #expect(painter.draw(view) == "checking …\n")
    #expect(painter.draw(view) == "")
    view.isBusy = false
    view.number = 2
    view.below = ["That is taken."]
    #expect(painter.draw(view) == "We write to you.\nThat is taken.\nEmail: ")
    #expect(painter.leave([.answered("Email: kim"), .said("Account")]) == "Account\n")
  }
}
