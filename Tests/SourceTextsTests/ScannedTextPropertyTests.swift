internal import Foundation
import JSON
import Randomness
internal import SourceTexts
import Testing

/// Checks the invariants of every text.
func checkInvariants(of scanned: ScannedText, _ comment: Comment? = nil) {
  let count = scanned.source.bytes.count
  for problem in scanned.problems {
    #expect(problem.range.lowerBound >= 0 && problem.range.upperBound <= count && !problem.message.isEmpty, comment)
  }
  #expect(scanned.problemCount >= scanned.problems.count, comment)
  var waiting = [scanned.root]
  while let node = waiting.popLast() {
    #expect(node.range.lowerBound >= 0 && node.range.upperBound <= count, comment)
    var end = node.range.lowerBound
    for child in node.children {
      let start = child.keyRange?.lowerBound ?? child.range.lowerBound
      #expect(start >= end && child.range.upperBound <= node.range.upperBound, comment)
      if let key = child.keyRange { #expect(key.upperBound <= child.range.lowerBound, comment) }
      #expect(child.parent == node, comment)
      end = child.range.upperBound
      waiting.append(child)
    }
  }
}

/// Whether both readers agree on a text.
func checkAgreement(on bytes: [UInt8], _ comment: Comment? = nil) {
  let scanned = ScannedText(json: SourceText(bytes))
  if let value = try? JSON(parsing: bytes) {
    #expect(scanned.problems.isEmpty && scanned.value == value, comment)
    #expect(scanned.value.description == value.description && !scanned.hasLosses, comment)
  } else {
    #expect(!scanned.problems.isEmpty, comment)
  }
  checkInvariants(of: scanned, comment)
}

private func randomJSON(_ random: inout SeededGenerator, depth: Int) -> String {
  let space = random.pick(["", "", " ", "\n  ", "\t", "\r\n"])
  let choice = random.below(depth > 0 ? 9 : 7)
  let text =
    switch choice {
    case 0: random.pick(["true", "false", "null"])
    case 1: String(Int64(truncatingIfNeeded: random.next()))
    case 2:
      random.pick([
        "0", "-0", "-0.0", "1.5e3", "1E-2", "0.1", "1e-999", "123456789012345678", "5e+0", "2.2250738585072014e-308",
      ])
    case 3, 4, 5, 6: randomString(&random)
    case 7:
      "[" + (0..<random.below(5)).map { _ in randomJSON(&random, depth: depth - 1) }.joined(separator: ",") + space
        + "]"
    default:
      "{" + space
        + (0..<random.below(16)).map {
          "\"k\($0)\(random.pick(["", "é", "\\n", "\\u00e9"]))\"" + space + ":" + randomJSON(&random, depth: depth - 1)
        }
        .joined(separator: ",") + "}"
    }
  return space + text + space
}

private func randomString(_ random: inout SeededGenerator) -> String {
  let pieces = [
    "a", "é", "한", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\u0000", ",", ":", "}", "]", "//",
    "'", " ",
  ]
  return "\"" + (0..<random.below(8)).map { _ in random.pick(pieces) }.joined() + "\""
}

@Suite struct `Scanning and jansson` {
  @Test(arguments: 1...40) func `read the same of JSON, and of JSON with a slip in it`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      let text = Array(randomJSON(&random, depth: 4).utf8)
      checkAgreement(on: text, "\(String(decoding: text, as: UTF8.self))")
      for _ in 0..<10 {
        var broken = text
        for _ in 0...random.below(2) {
          let offset = random.below(broken.count + 1)
          let junk = random.pick([
            "", "\"", "{", "}", "[", "]", ",", ":", "x", "1", "\\", "\n", "//", "/*", "'", "\u{0}", "-", ".",
          ])
          broken.replaceSubrange(offset..<min(broken.count, offset + random.below(3)), with: junk.utf8)
        }
        checkAgreement(on: broken, "\(String(decoding: broken, as: UTF8.self))")
      }
    }
  }
}

@Suite struct `A half-typed text` {
  private static var examples: [URL] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../protocol/examples").standardizedFileURL
    // Without files the tests would have no cases, and pass.
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
      fatalError("there are no files at \(folder.path)")
    }
    return names.filter { $0.hasSuffix(".json") }.sorted().map { folder.appendingPathComponent($0) }
  }

  @Test(arguments: examples) func `has one problem wherever it ends`(_ file: URL) throws {
    let bytes = Array(try Data(contentsOf: file))
    checkAgreement(on: bytes)
    let end = bytes.lastIndex { $0 > 0x20 } ?? 0
    for count in stride(from: 1, through: end, by: 211) where bytes[count] & 0xc0 != 0x80 {
      let scanned = ScannedText(json: SourceText(Array(bytes[..<count])))
      #expect(scanned.problemCount == 1, "\(count) bytes")
    }
  }

  @Test func `has one problem after each character`() {
    let text = #"{"a": [1, -2.5e+3, true, null, "x\ud83d\ude00\n"], "b": {"c": false, "d": []}, "e:f": "g,h"}"#
    for count in 1..<text.utf8.count {
      let scanned = ScannedText(json: SourceText(Array(text.utf8.prefix(count))))
      #expect(scanned.problemCount == 1, "\(text.utf8.prefix(count))")
      checkInvariants(of: scanned)
    }
  }
}
