internal import JSON

/// The files that arguments mean: files themselves, folders with all that lies below them, and patterns.
///
/// Each file is there once, by the first of the arguments that lead to it.
package struct FileSelection: Sendable {
  /// What an argument led to.
  package enum Entry: Sendable, Hashable {
    /// A file, which may not be there; `-` is standard input.
    case file(String)
    /// Nothing that could be judged: what was named, why not, and what to do.
    case trouble(String, String)
  }

  /// What was found, in the order of the arguments; what a folder or a pattern leads to by name.
  package private(set) var entries: [Entry] = []
  private let suffixes: [String]
  private var arguments: [String] = []
  private var seen: Set<String> = []

  /// So many folders are gone down: more is a mistake.
  static let depthMax = 64

  /// No file yet.
  ///
  /// - Parameter suffixes: the ends of the names of the files in a folder that are meant by it.
  package init(suffixes: [String]) {
    self.suffixes = suffixes
  }

  /// What those arguments lead to.
  package init(_ arguments: [String], suffixes: [String]) {
    self.init(suffixes: suffixes)
    for argument in arguments { add(argument) }
  }

  /// Whether one file was named, by its own name: then people need not be told which one it is.
  package var isOneFileByName: Bool {
    arguments.count == 1 && entries == [.file(Self.withoutDots(arguments[0]))]
  }

  /// The files.
  package var files: [String] {
    entries.compactMap { entry in
      if case .file(let path) = entry { path } else { nil }
    }
  }

  /// Adds what an argument leads to.
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

  /// - Parameter isFound: whether a folder or a pattern leads to the file. The user does not wait for such a pipe.
  private mutating func add(file: String, isFound: Bool = false) {
    let path = Self.withoutDots(file)
    guard seen.insert(path).inserted else { return }
    if isFound, FolderContents.isPipeOrDevice(path) {
      entries.append(.trouble(path, "it is not a regular file; name it as an argument if it is to be read"))
    } else {
      entries.append(.file(path))
    }
  }

  /// A path without `./` at the start: `./a` and `a` are one file, and told as one.
  private static func withoutDots(_ path: String) -> String {
    path.hasPrefix("./") && path.utf8.count > 2 ? String(path.dropFirst(2)) : path
  }

  private mutating func addFolder(_ folder: String) {
    var contents = FolderContents(suffixes: suffixes, depthMax: Self.depthMax)
    contents.find(in: folder)
    for (path, error) in contents.unread { entries.append(.trouble(path, "the folder cannot be read (\(error))")) }
    for path in contents.tooDeep {
      entries.append(.trouble(path, "the folder is more than \(Self.depthMax) folders deep; name one that is nearer"))
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

  /// The order of bytes: the same on every machine.
  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private var suffixList: String {
    suffixes.count < 2
      ? suffixes.joined() : suffixes.dropLast().joined(separator: ", ") + " or \(suffixes[suffixes.count - 1])"
  }
}
