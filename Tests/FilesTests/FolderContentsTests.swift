internal import Files
import Foundation
import JSON
import Testing

@Suite struct `A folder` {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test func `has its files of one kind, and those of its folders, but nothing that is hidden`() throws {
    try withFolder { folder in
      for name in [
        "a.test.json", "b/c/d.test.json", ".e/f.test.json", ".g.test.json", "h.form.json", "i.test.json.swp",
      ] {
        let path = "\(folder)/\(name)"
        let parent = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path))
      }
      var contents = FolderContents(suffixes: [".test.json"])
      contents.find(in: folder)
      #expect(contents.files.sorted() == ["\(folder)/a.test.json", "\(folder)/b/c/d.test.json"])
      #expect(contents.unread.isEmpty)
      #expect(FolderContents.isFolder(folder) && !FolderContents.isFolder("\(folder)/a.test.json"))
    }
  }

  @Test func `that links back to itself is read once`() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/a", withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: "\(folder)/a/b.test.json"))
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/a/loop", withDestinationPath: ".")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/a/up", withDestinationPath: "..")
      var contents = FolderContents(suffixes: [".test.json"])
      contents.find(in: folder)
      #expect(contents.files == ["\(folder)/a/b.test.json"])
      #expect(contents.unread.isEmpty && contents.tooDeep.isEmpty)
    }
  }

  @Test func `is read from the outside in, as far as one wants`() throws {
    try withFolder { folder in
      for inner in ["", "/a", "/a/b"] {
        try FileManager.default.createDirectory(atPath: folder + inner, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: folder + inner + "/f.json"))
      }
      // Of the first folder two entries, of the second two, of the third one.
      for (entriesMax, depth) in [(2, 1), (4, 2), (5, 3)] {
        var contents = FolderContents(suffixes: [".json"], entriesMax: entriesMax)
        contents.find(in: folder)
        #expect(contents.files.count == depth && contents.isCutShort == (depth < 3))
      }
    }
  }

  @Test func `tells which of its folders are too deep`() throws {
    try withFolder { folder in
      let last = folder + "/2/3/4/5/6/7/8"
      try FileManager.default.createDirectory(atPath: last + "/9/10", withIntermediateDirectories: true)
      for parent in [last, last + "/9"] { try Data().write(to: URL(fileURLWithPath: parent + "/a.json")) }
      var contents = FolderContents(suffixes: [".json"])
      contents.find(in: folder)
      #expect(contents.files == [last + "/a.json"])
      #expect(contents.tooDeep == [last + "/9"] && contents.unread.isEmpty)
    }
  }

  @Test func `that is not there is told`() {
    var contents = FolderContents(suffixes: [".json"])
    contents.find(in: "/nothing/here")
    #expect(contents.unread.map(\.path) == ["/nothing/here"] && contents.unread.allSatisfy { $0.error.isMissing })
  }

  @Test func `has another version of a file when the file was written or replaced, and none of what is gone`() throws {
    try withFolder { folder in
      let path = "\(folder)/a"
      #expect(FileVersion(path: path) == nil)
      try Data([1]).write(to: URL(fileURLWithPath: path))
      let first = FileVersion(path: path)
      #expect(first != nil && first == FileVersion(path: path))
      try Data([1, 2]).write(to: URL(fileURLWithPath: path))
      #expect(FileVersion(path: path) != first)
    }
  }
}
