import FormImport
import Forms
import JSON
import Randomness
import SourceTexts
import Testing

/// Inputs that nobody wrote: an import never traps, and its form is always accepted.
struct MutationTests {
  @Test(arguments: Inputs.cases)
  func `a changed input is imported, or is not readable`(input: Inputs.Case) throws {
    for seed in 0..<25 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let inputs = input.inputs.map { input in
        let isJSON = input.file.hasSuffix(".json")
        let bytes = isJSON ? Self.changedValue(input, &generator) : Self.changedText(input.source.bytes, &generator)
        return ImportInput(bytes, file: input.file)
      }
      do throws(UnreadableInput) {
        let form = try input.kind.form(of: inputs, options: ImportOptions(name: "form", component: input.component))
        let compilation = Form.compile(form.definition)
        #expect(compilation.form != nil, "seed \(seed): \(compilation.diagnostics.prefix(2).map(\.description))")
        for loss in form.losses { GoldenTests.expectPlace(of: loss, in: inputs) }
      } catch {
        #expect(!error.diagnostics.isEmpty)
      }
    }
  }

  /// Some values of the input are replaced, removed or copied.
  private static func changedValue(_ input: ImportInput, _ generator: inout SeededGenerator) -> [UInt8] {
    guard var value = try? JSON(parsing: input.source.bytes) else { return input.source.bytes }
    for _ in 0...generator.below(4) {
      let places = pointers(of: value)
      let place = generator.pick(places)
      let other = value.value(at: generator.pick(places)) ?? .null
      let values: [JSON?] = [nil, .null, true, 5, "x", [], [:], ["a", 1], "#", "#/nothing", other, -1.5]
      value = changing(value, place.tokens[...], to: generator.pick(values)) ?? [:]
    }
    return Array(value.description.utf8)
  }

  private static func changedText(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...generator.below(8) {
      let position = generator.below(bytes.count)
      switch generator.below(4) {
      case 0: bytes.remove(at: position)
      case 1: bytes.insert(generator.pick(Array("<>\"'=/[].*&#".utf8)), at: position)
      case 2:
        bytes.insert(contentsOf: bytes[position..<min(position + 40, bytes.count)], at: generator.below(bytes.count))
      default: bytes.removeSubrange(position..<min(position + generator.below(30) + 1, bytes.count))
      }
      if bytes.isEmpty { bytes = [UInt8(ascii: "x")] }
    }
    return bytes
  }

  private static func pointers(of value: JSON, at pointer: JSONPointer = .root) -> [JSONPointer] {
    switch value {
    case .object(let members):
      [pointer] + members.flatMap { pointers(of: $0.value, at: pointer.appending($0.name)) }
    case .array(let elements):
      [pointer] + elements.enumerated().flatMap { pointers(of: $0.element, at: pointer.appending($0.offset)) }
    default: [pointer]
    }
  }

  /// The value with another one at that path; nil is none.
  private static func changing(_ value: JSON, _ path: ArraySlice<String>, to new: JSON?) -> JSON? {
    guard let token = path.first else { return new }
    switch value {
    case .object(var members):
      guard let inner = members[token] else { return value }
      members[token] = changing(inner, path.dropFirst(), to: new)
      return .object(members)
    case .array(var elements):
      guard let index = JSONPointer.arrayIndex(token), index < elements.count else { return value }
      let element = changing(elements[index], path.dropFirst(), to: new)
      elements.replaceSubrange(index...index, with: element.map { [$0] } ?? [])
      return .array(elements)
    default: return value
    }
  }
}
