import CEL
import Testing

@Suite struct ListsLibraryTests {
  @Test(arguments: [
    "[1, 2, 3, 4].slice(1, 3) == [2, 3] && [1].slice(1, 1) == [] && [].slice(0, 0) == []",
    "[[1], [2, 3], []].flatten() == [1, 2, 3] && [1, [2, [3, [4]]]].flatten(2) == [1, 2, 3, [4]]",
    "[[1]].flatten(0) == [[1]]",
    "[1, 1u, 1.0, 'a', 'a', null, null].distinct() == [1, 'a', null]",
    "[3, 1, 2].sort() == [1, 2, 3] && ['b', 'a'].sort() == ['a', 'b'] && [].sort() == []",
    "[true, false].sort() == [false, true]",
    "lists.range(3) == [0, 1, 2] && lists.range(0) == [] && lists.range(-1) == []",
    "[1, 2, 3].reverse() == [3, 2, 1] && [].reverse() == []",
    "[1, 2].first() == optional.of(1) && [1, 2].last() == optional.of(2) && [].first() == optional.none()",
    "['foo', 'a', 'bars'].sortBy(e, e.size()) == ['a', 'foo', 'bars'] && [3, 1, 2].sortBy(e, -e) == [3, 2, 1]",
    "[[2, 'b'], [1, 'x'], [2, 'a']].sortBy(e, int(e[0])) == [[1, 'x'], [2, 'b'], [2, 'a']]",
    "sets.contains([1, 2.0, 3u], [1.0, 2u, 3]) && sets.contains([], []) && !sets.contains([], [1])",
    "sets.equivalent([1], [1u, 1.0]) && sets.equivalent([], []) && !sets.equivalent([1, 2], [1])",
    "sets.intersects([[1], [2, 3]], [[1, 2], [2, 3.0]]) && !sets.intersects([1], []) && !sets.intersects([], [])",
    "[1, 2, 3].unique() && ![1, 2, 1.0].unique() && [].unique()",
    "[1, 2][1] == 2 && [1, 2][dyn(1.0)] == 2 && [1, 2][dyn(1u)] == 2",
    "dyn(1) in [1.0] && !('a' in []) && dyn(1.0) in {1: 2} && !(dyn(1.5) in {1: 2}) && !(dyn(null) in {'a': 1})",
    "[1] + [2] == [1, 2] && [] + [] == [] && size([1] + [2]) == 2 && {1: 2}.size() == 1",
    "[3.5, 0.0/0.0, 1.0].sort().map(e, string(e)) == ['NaN', '1', '3.5']",
  ])
  func `lists are cut, joined, ordered and compared`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: [
    ("[1, 2].slice(1, 3)", EvaluationError.Kind.indexOutOfBounds), ("[1, 2].slice(-1, 1)", .indexOutOfBounds),
    ("[1, 2].slice(2, 1)", .indexOutOfBounds), ("[1][1]", .indexOutOfBounds), ("[1][-1]", .indexOutOfBounds),
    ("[1][9223372036854775807]", .indexOutOfBounds), ("[1][dyn(0.5)]", .invalidArgument),
    ("[1][dyn(18446744073709551615u)]", .indexOutOfBounds), ("{1: 2}[2]", .noSuchKey),
    ("{1: 2}[dyn(b'')]", .noSuchKey), ("[1, [2]].flatten(-1)", .invalidArgument),
    ("dyn([1, 'a']).sort()", .noSuchOverload),
    ("dyn([[1], [2]]).sort()", .noSuchOverload), ("lists.range(100001)", .tooLarge),
  ])
  func `what a list does not have is an error`(source: String, kind: EvaluationError.Kind) {
    #expect(failureKind(source) == kind)
  }
}
