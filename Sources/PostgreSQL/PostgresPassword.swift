package import Files
internal import JSON

/// The password of a database. Nothing that prints a configuration prints it.
package struct PostgresPassword: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private enum Source: Sendable {
    case text(String)
    case file(String)
  }

  private let source: Source

  /// The password itself.
  package init(_ text: String) { source = .text(text) }

  /// The content of the file at that path, without the end of its line. The file is read again for each connection, so
  /// that the password can be changed while the daemon runs.
  package init(inFile path: String) { source = .file(path) }

  /// The current password. It may wait for a file: do not call it on an event loop.
  ///
  /// - Throws: the system's error when the file cannot be read; `EFBIG` if it does not hold a password.
  package func read() throws(SystemError) -> String {
    switch source {
    case .text(let text): return text
    case .file(let path):
      // A pipe into which another program writes a password is allowed.
      let bytes = try FileBytes.read(path, bytesMax: Self.bytesMax, mayWait: true)
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// The file in which it is; nil when the configuration holds it.
  package var file: String? {
    if case .file(let path) = source { path } else { nil }
  }

  /// A cloud token that serves as a password has a few kilobytes.
  private static let bytesMax = 64 << 10

  package var description: String { file.map { "in \($0)" } ?? "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
