internal import JSON

/// Gathers the faults of one definition; reading and compiling go on behind each, so that an author sees many at once.
struct DiagnosticCollector {
  /// How many faults are kept. A file with more is broken in one place, which the first ones show.
  static let countMax = 100

  let file: String?
  private let places: JSONPlaces?
  private(set) var diagnostics: [Diagnostic] = []

  /// `text` is the definition's, when there is one that reads as JSON.
  init(file: String?, text: [UInt8]?) {
    self.file = file
    places = text.map(JSONPlaces.init(of:))
  }

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Where in the text a fault is shown.
  enum Spot {
    case value
    case name
    /// Inside a string, that many code points after its first.
    case codePoint(Int)
  }

  /// Where that is in the text; the text's first character when there is no text.
  func place(of pointer: JSONPointer, _ spot: Spot = .value) -> TextPlace {
    let place =
      switch spot {
      case .value: places?.place(of: pointer)
      case .name: places?.placeOfName(pointer)
      case .codePoint(let count): places?.place(of: pointer, codePoint: count)
      }
    return place ?? TextPlace(line: 1, column: 1)
  }

  mutating func report(
    _ code: String,
    at pointer: JSONPointer,
    spot: Spot = .value,
    _ message: String,
    remedy: String? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    guard diagnostics.count < Self.countMax else { return }
    diagnostics.append(
      Diagnostic(
        file: file,
        pointer: pointer,
        place: place(of: pointer, spot),
        code: code,
        message: message,
        remedy: remedy,
        severity: severity
      )
    )
  }
}
