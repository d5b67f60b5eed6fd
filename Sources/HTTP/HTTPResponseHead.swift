/// Reads the header of an answer, a line at a time (RFC 9112, sections 4 and 5).
///
/// Informational answers (1xx) come before the final answer, and their fields are dropped. Trailers follow the body,
/// and are dropped, too.
struct HTTPResponseHead {
  /// Bytes of all header lines of one request. Informational answers and trailers count, too.
  static let bytesMax = 64 << 10
  /// The codings of a body that the client asks for and accepts.
  static let codings = ["gzip", "deflate"]

  private enum Part {
    case statusLine, fields, trailers
  }

  /// The fields of the last answer.
  private(set) var fields: [HTTPHeader] = []
  private var bytes = 0
  private var part = Part.statusLine
  private var isInformational = false

  /// Takes one line with its line break.
  ///
  /// - Throws: `tooLarge` if the header is too long; `badBody` if a coding of the body is not accepted.
  mutating func append(_ line: some Collection<UInt8>) throws(HTTPFailure) {
    bytes += line.count
    guard bytes <= Self.bytesMax else {
      throw HTTPFailure(.tooLarge, "the answer's header has more than \(Self.bytesMax) bytes")
    }
    let text = line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    switch part {
    case .statusLine:
      fields = []
      isInformational = Self.isInformational(text)
      part = .fields
    case .fields where text.isEmpty:
      try checkCodings()
      part = isInformational ? .statusLine : .trailers
    case .fields: appendField(text)
    case .trailers: break
    }
  }

  /// Whether another answer follows: all of 1xx except 101, which ends HTTP on the connection (RFC 9110, section 15.2).
  private static func isInformational(_ statusLine: some Collection<UInt8>) -> Bool {
    let status = statusLine.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
    return status.first == UInt8(ascii: "1") && !status.elementsEqual("101".utf8)
  }

  /// libcurl decodes one coding after another, and bounds neither the time nor the memory for what lies between them.
  /// So an answer may have one coding, whose result is counted.
  private func checkCodings() throws(HTTPFailure) {
    func names(_ field: String) -> [String] {
      fields.filter { $0.name.lowercased() == field }.flatMap { $0.value.lowercased().split(separator: ",") }
        .map { Self.trimmed($0.utf8) }.filter { $0 != "identity" && $0 != "" }
    }
    let codings = names("content-encoding")
    guard codings.count <= 1, codings.allSatisfy({ Self.codings.contains($0) || $0 == "x-gzip" }) else {
      throw HTTPFailure(
        .badBody,
        "the body has several content codings, or not one of \(Self.codings.joined(separator: ", "))"
      )
    }
    guard names("transfer-encoding").allSatisfy({ $0 == "chunked" }) else {
      throw HTTPFailure(.badBody, "the body has a transfer coding other than chunked")
    }
  }

  private mutating func appendField(_ text: some Collection<UInt8>) {
    if let first = text.first, Self.isBlank(first), let last = fields.indices.last {
      // A value may go on in the next line (`obs-fold`: RFC 9112, section 5.2).
      fields[last].value += " " + Self.trimmed(text)
      return
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
    fields.append(HTTPHeader(Self.trimmed(text[..<colon]), Self.trimmed(text[text.index(after: colon)...])))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func trimmed(_ text: some Collection<UInt8>) -> String {
    let tail = text.drop(while: isBlank)
    return String(decoding: Array(Array(tail).reversed().drop(while: isBlank).reversed()), as: UTF8.self)
  }
}
