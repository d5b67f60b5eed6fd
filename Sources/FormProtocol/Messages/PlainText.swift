internal import Texts

/// A short request whose params can be read straight from its bytes: a flat `field/change`, `field/focus`, `field/blur`
/// or `action/tap` request of plain ASCII without escapes. Such inputs come by the thousand.
///
/// It comes before the JSON reader, and either understands a text completely or leaves it alone. It leaves alone other
/// methods, unknown members, a member twice, an escape, a fraction, and any problem. Then libjansson reads the text.
/// So every text that it understands has the meaning that a ``MessageReader`` would give it; a test compares the two.
/// It does not call ``Message/check(_:)``.
package struct PlainText {
  /// The request's id.
  package let id: Int64
  /// Which of the four methods is called.
  package let method: Method
  /// Whether the params were plain, and are read.
  package private(set) var isRead = false
  /// The bytes of the params.
  let params: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>

  /// Longer texts are rare, and the time to read them is not their main cost.
  private static let bytesMax = 512

  /// A text; nil when its envelope is not plain enough.
  @inline(__always)
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count <= Self.bytesMax, let start = text.baseAddress else { return nil }
    // Most clients write the members in the order of the protocol's document, without white space. So whole runs of
    // bytes are compared at once.
    var reader = PlainReader(position: start, end: start + text.count - 1)
    guard reader.skip(#"{"jsonrpc":"2.0","id":"#), let id = reader.integer(), reader.skip(#","method":""#),
      let method = Self.method({ reader.skip($0) }), reader.skip(#"","params":"#),
      reader.end.pointee == UInt8(ascii: "}")
    else {
      guard let text = Self(inAnyOrder: start, start + text.count) else { return nil }
      self = text
      return
    }
    (self.id, self.method, params, end) = (id, method, reader.position, reader.end)
  }

  /// A text that has the members of its envelope in any order, with white space anywhere.
  @inline(never)
  private init?(inAnyOrder start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    var reader = PlainReader(position: start, end: end)
    var version: UnsafeBufferPointer<UInt8>?
    var name: UnsafeBufferPointer<UInt8>?
    var params: UnsafeBufferPointer<UInt8>?
    var id: Int64?
    reader.readAll {
      if $0.find("jsonrpc") { version = $0.string() }
      if $0.find("id") { id = $0.integer() }
      if $0.find("method") { name = $0.string() }
      if $0.find("params") { params = $0.object() }
    }
    guard reader.isAtEnd(), let version, version.hasSameBytes(as: "2.0"), let id, let name, let params,
      let start = params.baseAddress, let method = Self.method({ name.hasSameBytes(as: $0) })
    else { return nil }
    (self.id, self.method, self.params, self.end) = (id, method, start, start + params.count)
  }

  /// The method that a text names; nil if no plain input has that name.
  @inline(__always)
  private static func method(_ isNamed: (StaticString) -> Bool) -> Method? {
    if isNamed(FieldChangeParams.name) { return .fieldChange }
    if isNamed(FieldBlurParams.name) { return .fieldBlur }
    if isNamed(FieldFocusParams.name) { return .fieldFocus }
    if isNamed(ActionTapParams.name) { return .actionTap }
    return nil
  }

  /// Reads the params into a message without content.
  @inline(__always)
  mutating func read<Params: Message>(into params: inout Params) {
    var reader = PlainReader(position: self.params, end: end)
    params.list(&reader)
    if _slowPath(!reader.isNext(UInt8(ascii: "}"))) { reader = reader.readingMore(into: &params) }
    isRead = reader.isAtEnd()
  }
}

/// The params of a method that plain texts call.
package protocol PlainCall: Call {
  /// Reads the params of a text; ``PlainText/isRead`` tells whether they are plain. Each type has an initializer of its
  /// own, because the compiler specializes a generic function only in its own module.
  init(_ text: inout PlainText)
}

extension FieldChangeParams: PlainCall {
  package init(_ text: inout PlainText) {
    self.init()
    text.read(into: &self)
  }
}

extension FieldFocusParams: PlainCall {
  package init(_ text: inout PlainText) {
    self.init()
    text.read(into: &self)
  }
}

extension FieldBlurParams: PlainCall {
  package init(_ text: inout PlainText) {
    self.init()
    text.read(into: &self)
  }
}

extension ActionTapParams: PlainCall {
  package init(_ text: inout PlainText) {
    self.init()
    text.read(into: &self)
  }
}
