internal import Foundation
package import PostgreSQL

/// A server that speaks the beginning of PostgreSQL's protocol, and then sends bytes of the test's choice. It listens
/// at a Unix socket.
package final class ScriptedPostgresServer: Sendable {
  /// Bytes that the server sends.
  package struct Speech: Sendable {
    /// The bytes.
    package var bytes: [UInt8]
    /// Whether the server sends the bytes again and again.
    package var isEndless: Bool

    /// Makes a speech of these bytes.
    package init(_ bytes: [UInt8], isEndless: Bool = false) {
      self.bytes = bytes
      self.isEndless = isEndless
    }
  }

  /// A message of the protocol: <https://www.postgresql.org/docs/current/protocol-message-formats.html>.
  package static func message(_ type: Unicode.Scalar, _ content: [UInt8] = [], length: Int32? = nil) -> [UInt8] {
    let length = length ?? Int32(content.count + 4)
    return [UInt8(type.value)] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + content
  }

  /// AuthenticationOk and ReadyForQuery: the client is connected.
  package static let ready = message("R", [0, 0, 0, 0]) + message("Z", [UInt8(ascii: "I")])

  private static let cancelCode: [UInt8] = [0x04, 0xd2, 0x16, 0x2e]

  private let folder: String
  private let listener: CInt

  /// Listens.
  ///
  /// - Parameters:
  ///   - greeting: the answer to the start of a connection.
  ///   - answer: follows the first command of the client.
  ///   - waits: whether the answer waits for a command.
  ///   - answersCancels: whether the server ends the connection of a request to cancel, as PostgreSQL does.
  package init(
    greeting: Speech = Speech(ready),
    answer: Speech = Speech([]),
    waits: Bool = true,
    answersCancels: Bool = true
  ) throws {
    folder = FileManager.default.temporaryDirectory.path + "/pgs-" + UUID().uuidString.prefix(8)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(folder)/.s.PGSQL.5432".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(listener, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
    self.listener = listener
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        Thread.detachNewThread {
          defer { close(client) }
          guard let start = Self.readStart(client) else { return }
          if start.starts(with: Self.cancelCode) {
            if !answersCancels { Self.readToEnd(client) }
            return
          }
          guard Self.say(greeting, to: client) else { return }
          var byte: UInt8 = 0
          guard !waits || recv(client, &byte, 1, 0) == 1 else { return }
          if Self.say(answer, to: client) { Self.readToEnd(client) }
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The server's address.
  package var url: PostgresURL {
    get throws { try PostgresURL("postgresql://formd@/x?host=\(folder)&gssencmode=disable") }
  }

  /// The content of a connection's first message; nil if there is none.
  private static func readStart(_ client: CInt) -> [UInt8]? {
    func read(_ count: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      return recv(client, &bytes, count, CInt(MSG_WAITALL)) == count ? bytes : nil
    }
    guard let length = read(4)?.reduce(0, { $0 << 8 | Int($1) }), length > 4, length < 10_000 else { return nil }
    return read(length - 4)
  }

  /// Returns when the client has closed the connection.
  private static func readToEnd(_ client: CInt) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while recv(client, &bytes, bytes.count, 0) > 0 {}
  }

  /// Sends bytes. Returns whether all were sent.
  private static func say(_ speech: Speech, to client: CInt) -> Bool {
    // Sending only a few bytes at a time would keep the client waiting instead of busy.
    let copies = speech.isEndless && !speech.bytes.isEmpty ? max(1, 65_536 / speech.bytes.count) : 1
    let bytes = Array(repeatElement(speech.bytes, count: copies).joined())
    repeat {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
    } while speech.isEndless
    return true
  }
}
