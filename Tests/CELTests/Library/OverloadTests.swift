public import CEL
import Randomness
public import Testing
internal import Times

@Suite struct OverloadTests {
  @Test func `every overload has an identifier of its own`() {
    var seen: Set<String> = []
    for overload in Library.all.flatMap(\.overloads) {
      #expect(seen.insert(overload.id).inserted, "\(overload.id) stands twice")
    }
    #expect(seen.count > 250)
  }

  /// Values at the edges of the functions' ranges.
  private static let edges: [Value] = [
    .null, true, .int(0), .int(-1), .int(3), .int(.max), .int(.min), .uint(0), .uint(.max), .double(0.5),
    .double(-1e300),
    .double(.nan), .double(.infinity), "", "a", "é\u{301}😀", "a,b,a", "(", "%s%d%.3f%x%", "\\1", "(a)|b", "10.0.0.1/8",
    "2020-01-01T00:00:00Z", "1h", .bytes([]), .bytes([0xff, 0x61]), [], [1, 2, 1], ["b", "a"], [[1], [2, [3]]],
    [1, "a"],
    [.optional(1), .optional(nil)], .map(MapValue()), .timestamp(Timestamp(seconds: Timestamp.secondsMin)!),
    .timestamp(Timestamp(seconds: Timestamp.secondsMax, nanoseconds: 999_999_999)!),
    .duration(DurationValue(nanoseconds: .min)),
    .duration(DurationValue(nanoseconds: .max)), .type(.int), .optional(nil), .optional("a"),
  ]

  @Test(arguments: Library.all.flatMap(\.overloads).filter { $0.parameters.count <= 2 })
  func `no overload traps on any one or two values`(overload: Overload) {
    switch overload.parameters.count {
    case 0: _ = overload([])
    case 1: for value in Self.edges { _ = overload([value]) }
    default: for first in Self.edges { for second in Self.edges { _ = overload([first, second]) } }
    }
  }

  @Test(arguments: Library.all.flatMap(\.overloads).filter { $0.parameters.count > 2 })
  func `no overload traps on any three or four values`(overload: Overload) {
    var generator = SeededGenerator(seed: 42)
    // Values that fit most of the time, so that the test covers more than the refusal of wrong types.
    let fitting = overload.parameters.map { parameter in Self.edges.filter { parameter.admits($0) } }
    for round in 0..<2_000 {
      let arguments = fitting.map { values in
        (round % 10 == 0 ? nil : values.randomElement(using: &generator)) ?? Self.edges.randomElement(
          using: &generator
        )!
      }
      _ = overload(arguments)
    }
  }

  @Test(arguments: [
    "lists.range(50000).map(i, lists.range(50000)).size()",
    "lists.range(50000).map(i, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.replace('', '%s')).size()".replacing(
      "%s",
      with: String(repeating: "b", count: 50_000)
    ),
    "lists.range(100000).map(i, '%.1000f'.format([double(i)])).size()",
  ])
  func `what functions build is charged to the budget`(source: String) {
    #expect(failureKind(source) == .budgetExceeded)
  }

  @Test(arguments: Library.all.flatMap(\.overloads))
  func `a call with too many arguments or values of other types has no overload`(overload: Overload) {
    guard case .declarationOnly = overload.implementation else {
      let tooMany = overload(Array(repeating: .null, count: overload.parameters.count + 1))
      #expect(tooMany == .error(.noSuchOverload), "\(overload.id)")
      let takesAnything = overload.parameters.contains { if case .parameter = $0 { true } else { $0 == .dyn } }
      if !takesAnything, !overload.parameters.isEmpty {
        let wrong = overload(Array(repeating: .unknown(UnknownSet([])), count: overload.parameters.count))
        #expect(wrong == .error(.noSuchOverload), "\(overload.id)")
      }
      return
    }
  }
}

extension Overload: CustomTestStringConvertible {
  public var testDescription: String { id }
}
