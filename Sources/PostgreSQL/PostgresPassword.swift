package import JSON

/// The password of a database. Nothing that prints a configuration prints it.
package struct PostgresPassword: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private enum Place: Sendable {
    case text(String)
    case file(String)
  }

  private let place: Place

  /// The password itself.
  package init(_ text: String) { place = .text(text) }

  /// What the file at that path holds, without the end of its line. It is read anew for each connection, so that another password can be
  /// put there while the daemon runs.
  package init(inFile path: String) { place = .file(path) }

  /// The password as it is now. It may wait for a file: not on an event loop.
  ///
  /// - Throws: what the system says when the file cannot be read; `EFBIG` where it is no password.
  package func read() throws(SystemError) -> String {
    switch place {
    case .text(let text): return text
    case .file(let path):
      // A pipe that another program writes a password into will do.
      let bytes = try FileBytes.read(path, bytesMax: Self.bytesMax, mayWait: true)
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// The file in which it is; nil when the configuration holds it.
  package var file: String? {
    if case .file(let path) = place { path } else { nil }
  }

  /// A token of a cloud that serves as a password has a few kilobytes.
  private static let bytesMax = 64 << 10

  package var description: String { file.map { "in \($0)" } ?? "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
