/// Gathers the faults of one text; reading goes on behind each, so that an author sees many at once.
package struct DiagnosticCollector: Sendable {
  /// So many are kept; a text that has more is broken in one place that the first ones show.
  package static let countMax = 100

  /// The text's file, if it has one.
  package let file: String?
  private let places: JSONPlaces?
  /// What was reported, in order.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - file: its name in the diagnostics.
  ///   - text: UTF-8 that reads as JSON; nil when the value came without a text, and diagnostics get no place.
  package init(file: String?, text: [UInt8]?) {
    self.file = file
    places = text.map(JSONPlaces.init(of:))
  }

  /// Whether one of the diagnostics is an error.
  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Where in the text a fault is shown.
  package enum Spot {
    /// At the value.
    case value
    /// At the member's name.
    case name
    /// Inside a string, that many code points after its first.
    case codePoint(Int)
  }

  /// Where that is in the text; nil when there is no text.
  package func place(of pointer: JSONPointer, _ spot: Spot = .value) -> TextPlace? {
    switch spot {
    case .value: places?.place(of: pointer)
    case .name: places?.placeOfName(pointer)
    case .codePoint(let count): places?.place(of: pointer, codePoint: count)
    }
  }

  /// Notes a fault of the value at `pointer`.
  package mutating func report(
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
