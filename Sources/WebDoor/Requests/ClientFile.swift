internal import CCrypto
internal import Files
package import Processes
internal import Texts

/// A file of the client for browsers, as the door serves it: read once, when the door starts.
package struct ClientFile: Hashable, Sendable {
  /// The name in the folder and in the path.
  package var name: String
  /// The content.
  var bytes: [UInt8]
  /// The SHA-384 of the content, as an `integrity` attribute has it (Subresource Integrity, section 3.5).
  package var integrity: String

  /// An entity tag for the content (RFC 9110, section 8.8.3).
  var tag: String { "\"\(integrity.dropFirst("sha384-".count).prefix(32))\"" }

  /// The type of the content: browsers run no script of another type.
  var contentType: String {
    let types = [".d.ts": "application/typescript", ".html": "text/html", ".css": "text/css"]
    return (types.first { name.hasSuffix($0.key) }?.value ?? "text/javascript") + "; charset=utf-8"
  }

  /// The file that every page loads.
  private static let main = "client.js"
  /// Far above the file, which has some 50 KB.
  private static let bytesMax = 1 << 20

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var digest = [UInt8](repeating: 0, count: Int(SHA384_DIGEST_LENGTH))
    SHA384(bytes, bytes.count, &digest)
    integrity = "sha384-" + Base64.encode(digest)
  }

  /// Reads the files of a folder whose names end with `.js` or `.d.ts`. Files in its folders are not served.
  ///
  /// - Throws: ``StartError`` if the folder has no client, or a file cannot be read.
  package static func read(folder: String) throws(StartError) -> [ClientFile] {
    let files = try read(folder: folder, suffixes: [".js", ".d.ts"])
    guard files.contains(where: { $0.name == main }) else {
      throw StartError("there is no \(main) in \(folder); name its folder with --client")
    }
    return files
  }

  /// Reads the files of the page of `formctl studio`, and the client.
  ///
  /// - Throws: ``StartError`` if a file cannot be read.
  package static func ofStudio(folder: String) throws(StartError) -> [ClientFile] {
    try read(folder: folder).filter { $0.name == main }
      + read(folder: folder + "/studio", suffixes: [".js", ".css", ".html"])
  }

  private static func read(folder: String, suffixes: [String]) throws(StartError) -> [ClientFile] {
    var contents = FolderContents(suffixes: suffixes, depthMax: 1)
    contents.find(in: folder)
    if let (path, error) = contents.unread.first { throw StartError("\(path): the folder cannot be read (\(error))") }
    var files: [ClientFile] = []
    for path in contents.files.sorted() {
      do throws(SystemError) {
        files.append(
          ClientFile(
            name: String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]),
            bytes: try FileBytes.read(path, bytesMax: bytesMax)
          )
        )
      } catch {
        throw StartError("\(path): the file cannot be read (\(error))")
      }
    }
    return files
  }

  /// The folder of the files beside the program: `share/formd/web` of an installation, or `protocol/clients/web` of the
  /// checkout in which the program was built.
  ///
  /// - Parameter program: the path of the running program, without links.
  package static func folder(besideProgram program: String) -> String {
    let bin = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
    let installed = bin + "/../share/formd/web"
    // Swift builds into `.build/TRIPLE/CONFIGURATION`.
    let built = bin + "/../../../protocol/clients/web"
    return [installed, built].first { FileIdentity(path: $0 + "/" + main) != nil } ?? installed
  }
}
