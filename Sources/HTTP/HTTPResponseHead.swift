/// Reads the header of an answer, a line at a time (RFC 9112, sections 4 and 5).
///
/// Informational answers (1xx) come before the final one: each status line begins a new header and drops the old one.
struct HTTPResponseHead {
  /// Bytes of all header lines of one request: informational answers and trailers count, too.
  static let bytesMax = 64 << 10

  /// The fields of the last answer.
  private(set) var fields: [HTTPHeader] = []
  private var bytes = 0
  /// Whether the empty line behind the fields was read. Fields that follow are trailers.
  private var isComplete = false

  /// Takes one line with its line break. Returns false if the header is too long.
  mutating func append(_ line: some Collection<UInt8>) -> Bool {
    bytes += line.count
    guard bytes <= Self.bytesMax else { return false }
    let text = line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    if text.isEmpty {
      isComplete = true
    } else if text.starts(with: "HTTP/".utf8) {
      fields = []
      isComplete = false
    } else if !isComplete {
      appendField(text)
    }
    return true
  }

  private mutating func appendField(_ text: some Collection<UInt8>) {
    if let first = text.first, Self.isBlank(first), let last = fields.indices.last {
      // A value may go on in the next line (`obs-fold`: RFC 9112, section 5.2).
      fields[last].value += " " + Self.trimmed(text)
      return
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = text[text.index(after: colon)...]
    fields.append(HTTPHeader(Self.trimmed(text[..<colon]), Self.trimmed(value)))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func trimmed(_ text: some Collection<UInt8>) -> String {
    let tail = text.drop(while: isBlank)
    return String(decoding: Array(Array(tail).reversed().drop(while: isBlank).reversed()), as: UTF8.self)
  }
}
