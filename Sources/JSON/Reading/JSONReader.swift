internal import Texts

/// Reads a text straight into a value, and fast.
///
/// It reads only valid JSON and does not describe errors: at a byte that it does not accept, it gives up, and jansson
/// reads the text. So only one reader decides on the error and its place.
///
/// Nothing recurses. The values of open containers are on stacks, so that each array and object is made once, with its
/// final size.
struct JSONReader: ~Copyable {
  /// An array or object that is open.
  private struct Container {
    var isObject: Bool
    /// How many elements, or members, of the containers around it lie below its own.
    var base: Int
  }

  /// The limit of jansson, which also decides on deeper texts.
  private static let depthMax = 2048

  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  /// The byte that is looked at next.
  var position: UnsafePointer<UInt8>
  let numbers: JSONNumbers
  /// The ranges of numbers beyond the limits of jansson.
  var numbersBeyond: [Range<Int>] = []
  private let depthMax: Int
  private var nodesLeft: Int
  private var containers: [Container] = []
  private var elements = ReadingStack<JSON>()
  private var members = ReadingStack<JSONObject.Member>()
  private var names = NameCache()

  /// A reader of a text that is not empty; its memory has to stay.
  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits, numbers: JSONNumbers) {
    guard let base = bytes.baseAddress else { preconditionFailure("an empty text") }
    start = base
    end = base + bytes.count
    position = base
    self.numbers = numbers
    depthMax = min(limits.depthMax, Self.depthMax)
    nodesLeft = limits.nodesMax
  }

  /// The value of the text; nil if the text is not accepted.
  mutating func read() -> JSON? {
    while let value = readInnermost() {
      switch put(value) {
      case .next: continue
      case .whole(let value): return value
      case .error: return nil
      }
    }
    return nil
  }

  // MARK: Values

  /// Goes into the arrays and objects that begin here, to the first value without content; nil at a byte that is not
  /// accepted.
  private mutating func readInnermost() -> JSON? {
    while true {
      skipSpace()
      guard position < end, nodesLeft > 0 else { return nil }
      nodesLeft -= 1
      switch position.pointee {
      case UInt8(ascii: "\""):
        return readString().map { .string($0) }
      case UInt8(ascii: "{"):
        if let isEmpty = open(isObject: true) {
          guard isEmpty else { continue }
          return .object(JSONObject())
        }
        return nil
      case UInt8(ascii: "["):
        if let isEmpty = open(isObject: false) {
          guard isEmpty else { continue }
          return .array([])
        }
        return nil
      case UInt8(ascii: "t"): return readWord("true") ? .bool(true) : nil
      case UInt8(ascii: "f"): return readWord("false") ? .bool(false) : nil
      case UInt8(ascii: "n"): return readWord("null") ? .null : nil
      default: return readNumber()
      }
    }
  }

  /// The next step after a value was put into its container.
  private enum Step {
    /// Another value.
    case next
    /// Nothing: this is the value of the text.
    case whole(JSON)
    /// Something that is not taken.
    case error
  }

  /// Puts a value into the container around it, and closes the containers that end behind it.
  private mutating func put(_ value: consuming JSON) -> Step {
    var value = value
    while let container = containers.last {
      if container.isObject { members.last.pointee.value = value } else { elements.append(value) }
      skipSpace()
      guard position < end else { return .error }
      let byte = position.pointee
      position += 1
      if byte == UInt8(ascii: ",") {
        guard container.isObject else { return .next }
        skipSpace()
        return readName() ? .next : .error
      }
      if container.isObject {
        guard byte == UInt8(ascii: "}"), let object = JSONObject(distinct: members.take(from: container.base)) else {
          return .error
        }
        value = .object(object)
      } else {
        guard byte == UInt8(ascii: "]") else { return .error }
        value = .array(elements.take(from: container.base))
      }
      containers.removeLast()
    }
    skipSpace()
    return position == end ? .whole(value) : .error
  }

  /// Goes into an array or object, and returns whether it is empty; an empty one is left again. Nil at an error.
  private mutating func open(isObject: Bool) -> Bool? {
    guard containers.count < depthMax else { return nil }
    position += 1
    skipSpace()
    guard position < end else { return nil }
    if position.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      position += 1
      return true
    }
    containers.append(Container(isObject: isObject, base: isObject ? members.count : elements.count))
    guard isObject else { return false }
    return readName() ? false : nil
  }

  /// Reads a member's name with its colon, and adds the member; false at an error.
  private mutating func readName() -> Bool {
    guard position < end, position.pointee == UInt8(ascii: "\"") else { return false }
    let begin = position + 1
    guard let name = readString(isName: true) else { return false }
    // jansson takes no name with NUL in it, which only an escape can bring.
    if position - begin - 1 != name.utf8.count, name.utf8.contains(0) { return false }
    skipSpace()
    guard position < end, position.pointee == UInt8(ascii: ":") else { return false }
    position += 1
    members.append(JSONObject.Member(name: name, value: .null))
    return true
  }

  private mutating func readWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end - position >= count,
      UnsafeBufferPointer(start: position, count: count).hasSameBytes(as: word)
    else { return false }
    position += count
    return true
  }

  @inline(__always)
  private mutating func skipSpace() {
    while position < end, position.pointee <= 0x20 {
      guard position.pointee.isJSONSpace else { return }
      position += 1
    }
  }

  // MARK: Texts

  /// Reads a text behind its opening quote; nil if the text is invalid.
  private mutating func readString(isName: Bool = false) -> String? {
    let begin = position + 1
    var stop = begin
    // The top bits of all bytes of the text: whether one is beyond ASCII.
    var joined: UInt64 = 0
    scan: do {
      while end - stop >= 8 {
        let block = EightBytes(at: stop)
        let marks = block.escapes
        guard marks == 0 else {
          let length = EightBytes.first(of: marks)
          if length > 0 { joined |= block.nonASCII << UInt64(truncatingIfNeeded: 64 &- 8 &* length) }
          stop += length
          break scan
        }
        joined |= block.nonASCII
        stop += 8
      }
      while stop < end {
        let byte = stop.pointee
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break scan }
        joined |= UInt64(byte)
        stop += 1
      }
      return nil
    }
    guard stop.pointee == UInt8(ascii: "\"") else {
      return stop.pointee == UInt8(ascii: "\\") ? readEscapedString(from: begin, to: stop) : nil
    }
    position = stop + 1
    let bytes = UnsafeBufferPointer(start: begin, count: stop - begin)
    let isASCII = joined & 0x8080_8080_8080_8080 == 0
    if isName { return names.name(bytes, isASCII: isASCII) }
    return isASCII ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
  }

  /// Reads the rest of a text that has an escape at `stop`, the first of it.
  private mutating func readEscapedString(from begin: UnsafePointer<UInt8>, to stop: UnsafePointer<UInt8>) -> String? {
    var text = Array(UnsafeBufferPointer(start: begin, count: stop - begin))
    var next = stop
    while next < end {
      let byte = next.pointee
      switch byte {
      case UInt8(ascii: "\""):
        position = next + 1
        return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let length = appendEscape(at: next, to: &text) else { return nil }
        next += length
      case 0..<0x20:
        return nil
      default:
        text.append(byte)
        next += 1
      }
    }
    return nil
  }

  /// Appends the meaning of an escape (RFC 8259, section 7); returns its length, or nil if it is invalid.
  private func appendEscape(at escape: UnsafePointer<UInt8>, to text: inout [UInt8]) -> Int? {
    guard end - escape >= 2 else { return nil }
    switch escape[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape[1])
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    default:
      guard let unit = unit(at: escape) else { return nil }
      var value = unit
      var length = 6
      if unit & 0xfc00 == 0xd800 {
        guard let low = self.unit(at: escape + 6), low & 0xfc00 == 0xdc00 else { return nil }
        value = 0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff
        length = 12
      }
      // Half of a surrogate pair is not a scalar.
      guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { return nil }
      text += encoded
      return length
    }
    return 2
  }

  /// The unit of UTF-16 of an escape `\uXXXX`; nil if none begins there.
  private func unit(at escape: UnsafePointer<UInt8>) -> UInt32? {
    guard end - escape >= 6, escape[0] == UInt8(ascii: "\\"), escape[1] == UInt8(ascii: "u") else { return nil }
    var unit: UInt32 = 0
    for offset in 2..<6 {
      let byte = escape[offset]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return unit
  }
}

extension UInt8 {
  /// White space of JSON (RFC 8259, section 2).
  fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }
}
