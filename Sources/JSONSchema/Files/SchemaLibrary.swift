internal import Files
internal import Formats
package import JSON
internal import Synchronization
internal import Texts

/// Finds the targets of a schema's references to other documents. They are files, named by their file URI (RFC 8089) or
/// by their own `$id` in a folder that was added. Nothing is fetched from a network.
///
/// Each file is read once, at the first request, and its content does not change afterwards.
package final class SchemaLibrary: Sendable {
  /// A file that was read.
  package struct File: Sendable {
    /// Its name for people: it begins with the folder's given name, if the file is in the folder.
    package let path: String
    /// The content of the file.
    package let document: JSON
    /// The same as UTF-8.
    package let text: [UInt8]

    package init(path: String, document: JSON, text: [UInt8]) {
      self.path = path
      self.document = document
      self.text = text
    }
  }

  /// How many files may be read, and how large.
  package struct Bounds: Sendable {
    /// The largest number of files.
    package var filesMax: Int
    /// The largest number of bytes, all files together.
    package var bytesMax: Int
    /// How deep and large each value may be.
    package var values: JSONLimits
    /// The handling of numbers that neither 64 bits nor a double hold.
    package var numbers: JSONNumbers

    /// Bounds of that size.
    package init(
      filesMax: Int = .max,
      bytesMax: Int = FileBytes.bytesMax,
      values: JSONLimits = .file,
      numbers: JSONNumbers = .binary
    ) {
      self.filesMax = filesMax
      self.bytesMax = bytesMax
      self.values = values
      self.numbers = numbers
    }
  }

  private struct State {
    /// By URI without a fragment.
    var files: [String: Result<File, SchemaFileError>] = [:]
    /// The folders for URIs that begin with a text; a folder ends with a slash.
    var folders: [(prefix: String, folder: String)] = []
    var readCount = 0
    var readBytes = 0
  }

  /// The folder as it was named, with a slash at the end; empty for the working directory.
  private let folder: String
  /// The folder's path in the file system, with a slash at the end; empty if the folder does not exist.
  private let realFolder: String
  private let isClosed: Bool
  private let bounds: Bounds
  private let state = Mutex(State())

  /// A library of the files in a folder and below.
  ///
  /// - Parameters:
  ///   - folder: its path; empty for the working directory.
  ///   - isClosed: whether files elsewhere are refused, including files that a link in the folder leads to.
  ///   - bounds: how much may be read.
  package init(folder: String, isClosed: Bool, bounds: Bounds = Bounds()) {
    self.folder = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    realFolder = Self.realFolder(of: folder)
    self.isClosed = isClosed
    self.bounds = bounds
  }

  /// The path of a folder in the file system, with a slash at the end; empty if the folder does not exist.
  private static func realFolder(of folder: String) -> String {
    let real = try? FileIdentity.realPath(of: folder.isEmpty ? "." : folder)
    return real.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
  }

  /// The URI of a folder, with a slash at the end; empty is the working directory.
  package static func uri(ofFolder folder: String) -> String { uri(ofPath: realFolder(of: folder)) }

  /// The URI of a file in the folder.
  package func uri(ofFileNamed name: String) -> String { Self.uri(ofPath: realFolder + name) }

  /// The URI of the folder, with a slash at the end.
  package var folderURI: String { Self.uri(ofPath: realFolder) }

  /// Adds a file under a URI, in place of the file that would be read.
  package func add(_ file: File, at uri: String) {
    state.withLock { $0.files[uri] = .success(file) }
  }

  /// Has URIs that begin with a text lead to the files in a folder that are called by the rest, with or without `.json`
  /// at the end. Of several texts the longest counts.
  package func map(prefix: String, toFolder folder: String) {
    state.withLock { state in
      state.folders.append((prefix, folder.hasSuffix("/") ? folder : folder + "/"))
      state.folders.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }
  }

  /// The path to which a URI leads by ``map(prefix:toFolder:)``; nil if the URI begins with none of the prefixes.
  private static func mappedPath(_ uri: String, _ state: State) -> String? {
    guard let (prefix, folder) = state.folders.first(where: { uri.utf8.starts(with: $0.prefix.utf8) })
    else { return nil }
    var reference = URIReference(String(decoding: uri.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    reference.query = nil
    guard let rest = PercentEncoding.decoded(reference.withoutFragment), !rest.utf8.contains(0) else { return nil }
    let path = folder + rest.drop { $0 == "/" }
    return FileIdentity(path: path) == nil ? path + ".json" : path
  }

  /// The file of a URI without a fragment, which is read when it was not.
  ///
  /// - Throws: ``SchemaFileError``, the same each time.
  package func file(at uri: String) throws(SchemaFileError) -> File {
    let result = state.withLock { state in
      if let known = state.files[uri] { return known }
      let file: Result<File, SchemaFileError>
      do throws(SchemaFileError) { file = .success(try read(uri, &state)) } catch { file = .failure(error) }
      state.files[uri] = file
      return file
    }
    return try result.get()
  }

  /// The file of a URI, if it was read or added.
  package func knownFile(at uri: String) -> File? {
    state.withLock { state in try? state.files[uri]?.get() }
  }

  private func read(_ uri: String, _ state: inout State) throws(SchemaFileError) -> File {
    guard let path = Self.mappedPath(uri, state) ?? Self.path(ofFileURI: uri) else { throw .notAFile }
    let name = nameForPeople(path)
    if isClosed {
      guard !realFolder.isEmpty, path.utf8.starts(with: realFolder.utf8) else { throw .outside(name, folder: folder) }
    }
    let real: String
    do throws(SystemError) {
      real = try FileIdentity.realPath(of: path)
    } catch {
      throw error.isMissing ? .missing(name) : .unreadable(name, error)
    }
    if isClosed, !real.utf8.starts(with: realFolder.utf8) { throw .outside(name, folder: folder) }
    guard state.readCount < bounds.filesMax else { throw .tooMany(name, filesMax: bounds.filesMax) }
    state.readCount += 1
    let text: [UInt8]
    do throws(SystemError) {
      text = try FileBytes.read(real, bytesMax: bounds.bytesMax - state.readBytes)
    } catch {
      throw error.isTooLarge ? .tooLarge(name, bytesMax: bounds.bytesMax) : .unreadable(name, error)
    }
    state.readBytes += text.count
    do throws(JSONReadError) {
      return File(
        path: name,
        document: try JSON(parsing: text, limits: bounds.values, numbers: bounds.numbers),
        text: text
      )
    } catch {
      throw .notJSON(name, error)
    }
  }

  private func nameForPeople(_ path: String) -> String {
    guard !realFolder.isEmpty, path.utf8.starts(with: realFolder.utf8) else { return path }
    return folder + String(decoding: path.utf8.dropFirst(realFolder.utf8.count), as: UTF8.self)
  }

  // MARK: Paths

  private static func uri(ofPath path: String) -> String {
    "file://" + PercentEncoding.encoded(path) { $0 == UInt8(ascii: "/") }
  }

  /// The path in a URI of a file on this machine; nil for any other.
  private static func path(ofFileURI uri: String) -> String? {
    let reference = URIReference(uri)
    guard reference.scheme == "file", reference.authority == "", reference.path.hasPrefix("/"), reference.query == nil,
      let path = PercentEncoding.decoded(reference.path), !path.utf8.contains(0)
    else { return nil }
    return path
  }
}
