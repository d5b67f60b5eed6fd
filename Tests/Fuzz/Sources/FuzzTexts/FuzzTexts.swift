import DataLanguages
import FuzzCost
import JSON
internal import SourceTexts

/// The input is a text of data. Its first byte chooses the language and the position of the edit. Reading it must end
/// without a trap, with ranges within the text and within each other. The scanner must accept the texts that jansson
/// accepts, with equal values. Reading with exact numbers must refuse the texts that jansson refuses, with equal words
/// at the same position. An edited text must have the lines of a new one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTexts(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  runInput(start, count, test)
}

private func test(_ input: UnsafeBufferPointer<UInt8>, _ meter: inout CostMeter) -> Reached {
  guard let first = input.first else { return Reached("nothing") }
  let languages = DataLanguage.allCases
  let language = languages[Int(first) % languages.count]
  let bytes = Array(input.dropFirst())
  let source = SourceText(bytes)
  let text = ScannedText(source, language: language, limits: JSONLimits(depthMax: 64, nodesMax: 10_000))
  check(text)
  if language == .json {
    compare(bytes)
    compare(bytes, JSONLimits(depthMax: Int(first), nodesMax: 8 * Int(first)))
  }
  edit(source, seed: Int(first))
  return Reached("\(language)\(text.problemCount > 0 ? ", broken" : "")")
}

private func check(_ text: ScannedText) {
  let count = text.source.bytes.count
  for problem in text.problems {
    precondition(
      problem.range.lowerBound >= 0 && problem.range.upperBound <= count,
      "a problem at \(problem.range) of \(count)"
    )
    _ = text.source.range(problem.range, in: .utf16)
  }
  precondition(text.problemCount >= text.problems.count, "more faults are listed than counted")
  var waiting = [text.root]
  while let node = waiting.popLast() {
    precondition(node.range.lowerBound >= 0 && node.range.upperBound <= count, "a value at \(node.range) of \(count)")
    var end = node.range.lowerBound
    for child in node.children {
      // A node that an alias brings has the alias's position.
      let isAlias = child.range == node.range
      let start = child.keyRange?.lowerBound ?? child.range.lowerBound
      precondition(isAlias || start >= end, "values overlap at \(start)")
      precondition(child.range.upperBound <= node.range.upperBound, "\(child.range) is not in \(node.range)")
      if let key = child.keyRange {
        precondition(isAlias || key.upperBound <= child.range.lowerBound, "a name after its value")
      }
      end = child.range.upperBound
      waiting.append(child)
    }
  }
  _ = text.value
  for offset in stride(from: 0, through: count, by: max(1, count / 16)) {
    let path = text.path(atOffset: offset)
    precondition(path.node.range.upperBound <= count, "a place after the end of the text")
  }
}

/// Both readers must agree on a text, except if it exceeds a limit that only one reader has.
private func compare(_ bytes: [UInt8]) {
  let text = ScannedText(json: SourceText(bytes))
  if let value = try? JSON(parsing: bytes) {
    precondition(text.problemCount == 0, "jansson accepts the text: \(text.problems)")
    precondition(text.value == value && text.value.description == value.description, "jansson reads another value")
  } else {
    precondition(text.problemCount > 0, "jansson refuses the text")
  }
}

/// Reading with exact numbers must agree with jansson, except that it accepts numbers beyond jansson's limits.
private func compare(_ bytes: [UInt8], _ limits: JSONLimits) {
  switch (read(bytes, limits, .exact), read(bytes, limits, .binary)) {
  case (.success(let exact), .success(let value)):
    let text = Array(exact.description.utf8)
    precondition((try? JSON(parsing: text)) == value, "exact numbers are others")
  case (let exact, .failure(let error)) where error.reason == .integerRange || error.reason == .realRange:
    guard case .failure(let other) = exact else { return }
    precondition(other.offset >= error.offset, "exact reading says \(other) instead of \(error)")
  case (.failure(let exact), .failure(let error)) where error.reason == .utf8:
    precondition(exact.reason == .utf8 && exact.offset >= error.offset, "jansson says \(error), not \(exact)")
  case (.failure(let exact), .failure(let error)):
    precondition(exact == error, "jansson says \(error), not \(exact)")
  default: preconditionFailure("one reading accepts it, and the other does not")
  }
}

private func read(_ bytes: [UInt8], _ limits: JSONLimits, _ numbers: JSONNumbers) -> Result<JSON, JSONReadError> {
  Result { () throws(JSONReadError) in try JSON(parsing: bytes, limits: limits, numbers: numbers) }
}

private func edit(_ source: SourceText, seed: Int) {
  guard !source.bytes.isEmpty else { return }
  var edited = source
  for step in 1...3 {
    let start = (seed * 7_919 * step) % (edited.bytes.count + 1)
    let end = min(edited.bytes.count, start + (seed * step) % 9)
    let replacement = Array(source.bytes.prefix((seed * 31 * step) % 17))
    edited.replace(start..<end, with: replacement)
    let fresh = SourceText(edited.bytes)
    precondition(edited.lineCount == fresh.lineCount, "the lines differ")
    for offset in stride(from: 0, through: fresh.bytes.count, by: max(1, fresh.bytes.count / 8)) {
      for encoding in PositionEncoding.allCases {
        let position = fresh.position(of: offset, in: encoding)
        precondition(edited.position(of: offset, in: encoding) == position, "the position of \(offset) differs")
        precondition(
          edited.offset(of: position, in: encoding) == fresh.offset(of: position, in: encoding),
          "another offset"
        )
      }
    }
  }
}
