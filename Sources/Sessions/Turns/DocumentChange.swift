public import JSON
internal import Texts

/// One cell of the document, and its content before the turn (or before the first of several turns that are sent as
/// one).
public struct DocumentChange: Sendable {
  /// The cell's number in the form's document.
  public var cell: Int
  /// The content before the change.
  public var old: DocumentValue

  public init(cell: Int, old: DocumentValue) {
    self.cell = cell
    self.old = old
  }
}

extension Borrowed<DocumentChange> {
  /// The value of a flag after the change, or nil if the cell is not a flag. A change that is written has another value
  /// than before, so a flag has the opposite value.
  @inline(__always)
  borrowing func flag() -> Bool? {
    switch content.old {
    case .bool(let wasSet): !wasSet
    default: nil
    }
  }
}

/// The content of a cell of the document.
public enum DocumentValue: Sendable, Equatable {
  /// The document does not have the member.
  case absent
  /// A property that is true or false.
  case bool(Bool)
  /// A whole number: how often an action was started.
  case integer(Int)
  /// A text: a message.
  case text(String)
  /// The old content of a list's rows, as far as they have changed.
  indirect case rows(ListBefore)
  /// The old messages of fields in rows, as far as they have changed.
  indirect case messages(MessagesBefore)
  /// Any other value: a result or an output.
  case json(JSON)
  /// The errors of a field or of the form.
  case errors(ErrorList)

  /// A value, or its absence.
  @inline(__always)
  init(_ json: consuming JSON?) {
    if let json { self = .json(json) } else { self = .absent }
  }

  /// Bytes of memory, as ``JSON/JSON/approximateBytes`` measures them.
  package var approximateBytes: Int {
    switch self {
    case .absent, .bool, .integer, .errors: 0
    case .text(let text): text.utf8.count
    case .json(let json): json.approximateBytes
    case .rows(let before): before.approximateBytes
    case .messages(let before): before.approximateBytes
    }
  }

  /// The content of a cell before two successive changes.
  ///
  /// - Parameter later: the content before the later change.
  package func beforeBoth(later: DocumentValue) -> DocumentValue {
    switch (self, later) {
    case (.rows(let earlier), .rows(var later)):
      later.merge(earlier: earlier)
      return .rows(later)
    case (.messages(let earlier), .messages(var later)):
      later.merge(earlier: earlier)
      return .messages(later)
    // The same errors have other texts since then, so they are sent in any case.
    case (.errors, .absent): return .absent
    default: return self
    }
  }

  /// The session's language has changed since the client got the content. Equal errors have other texts now, so they
  /// are sent in any case.
  package mutating func languageChanged() {
    switch self {
    case .errors(let errors) where !errors.isEmpty: self = .absent
    case .rows(var before):
      before.languageChanged()
      self = .rows(before)
    default: break
    }
  }

  public static func == (left: DocumentValue, right: DocumentValue) -> Bool {
    switch (left, right) {
    case (.absent, .absent): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.text(let a), .text(let b)): a.hasSameUTF8(as: b)
    case (.json(let a), .json(let b)): a == b
    case (.errors(let a), .errors(let b)): a == b
    default: false
    }
  }
}
