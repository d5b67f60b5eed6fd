internal import Files
internal import JSON

/// The files that arguments mean: files themselves, folders with everything below them, and patterns.
///
/// Each file is included once, by the first argument that leads to it.
package struct FileSelection: Sendable {
  /// The result of an argument.
  package enum Entry: Sendable, Hashable {
    /// A file, which may not exist; `-` is standard input.
    case file(String)
    /// An argument without files to judge: its text, the reason, and a hint.
    case trouble(String, String)
  }

  /// The results, in the order of the arguments. The files of a folder or a pattern are sorted by name.
  package private(set) var entries: [Entry] = []
  private let suffixes: [String]
  private var arguments: [String] = []
  private var seen: Set<String> = []

  /// The largest depth of folders: a deeper folder is a mistake.
  static let depthMax = 64

  /// A selection without files.
  ///
  /// - Parameter suffixes: the suffixes of the file names that a folder includes.
  package init(suffixes: [String]) {
    self.suffixes = suffixes
  }

  package init(_ arguments: [String], suffixes: [String]) {
    self.init(suffixes: suffixes)
    for argument in arguments { add(argument) }
  }

  /// Whether the user named one file by its own name: then messages need not repeat the name.
  package var isOneFileByName: Bool {
    arguments.count == 1 && entries == [.file(Self.withoutDots(arguments[0]))]
  }

  package var files: [String] {
    entries.compactMap { entry in
      if case .file(let path) = entry { path } else { nil }
    }
  }

  /// The selection without the files that do not meet a condition.
  package func filtered(_ isWanted: (String) -> Bool) -> FileSelection {
    var selection = self
    selection.entries = entries.filter { entry in
      if case .file(let path) = entry { isWanted(path) } else { true }
    }
    return selection
  }

  /// Adds the files of an argument.
  package mutating func add(_ argument: String) {
    arguments.append(argument)
    if argument == "-" {
      add(file: argument)
    } else if FolderContents.isFolder(argument) {
      addFolder(argument)
    } else if PathPattern.isPattern(argument), FileVersion(path: argument) == nil {
      addMatches(of: argument)
    } else {
      add(file: argument)
    }
  }

  /// - Parameter isFound: whether a folder or a pattern leads to the file. Such a pipe or device is not read, because a
  ///   read could block.
  private mutating func add(file: String, isFound: Bool = false) {
    let path = Self.withoutDots(file)
    guard seen.insert(path).inserted else { return }
    if isFound, FolderContents.isPipeOrDevice(path) {
      entries.append(.trouble(path, "it is not a regular file; to read it, name it as an argument"))
    } else {
      entries.append(.file(path))
    }
  }

  /// A path without `./` at the start, because `./a` and `a` are one file and have one name in reports.
  private static func withoutDots(_ path: String) -> String {
    path.hasPrefix("./") && path.utf8.count > 2 ? String(path.dropFirst(2)) : path
  }

  private mutating func addFolder(_ folder: String) {
    var contents = FolderContents(suffixes: suffixes, depthMax: Self.depthMax)
    contents.find(in: folder)
    for (path, error) in contents.unread { entries.append(.trouble(path, "the folder cannot be read (\(error))")) }
    for path in contents.tooDeep {
      entries.append(.trouble(path, "the folder is more than \(Self.depthMax) folders deep; name it as an argument"))
    }
    if contents.files.isEmpty, contents.unread.isEmpty, contents.tooDeep.isEmpty {
      entries.append(
        .trouble(folder, "no file in this folder ends with \(suffixList); name files, or another folder")
      )
    }
    for file in contents.files.sorted(by: Self.isBefore) { add(file: file, isFound: true) }
  }

  private mutating func addMatches(of pattern: String) {
    let matches = PathPattern(pattern).matches(suffixes: suffixes)
    if matches.isEmpty {
      entries.append(.trouble(pattern, "no file matches; * stands for a part of a name, ** for any folders"))
    }
    for file in matches.sorted(by: Self.isBefore) { add(file: file, isFound: true) }
  }

  /// The order of bytes, which is equal on every machine.
  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private var suffixList: String {
    suffixes.count < 2
      ? suffixes.joined() : suffixes.dropLast().joined(separator: ", ") + " or \(suffixes[suffixes.count - 1])"
  }
}
