import CEL
import Testing

@Suite struct MathLibraryTests {
  @Test(arguments: [
    "math.greatest(1, 2u, 1.5) == 2u && math.least(1, -2.5, 3u) == -2.5 && math.greatest([3, 1]) == 3",
    "math.least([2.5]) == 2.5",
    "type(math.greatest(1, 1.0)) == int && type(math.greatest(1.0, 1)) == double && type(math.least(1u, 1)) == uint",
    "math.greatest(-9223372036854775808, 18446744073709551615u) == 18446744073709551615u",
    "math.greatest(dyn(5)) == 5",
    "math.ceil(1.2) == 2.0 && math.floor(-1.2) == -2.0 && math.trunc(-1.9) == -1.0 && math.round(-2.5) == -3.0",
    "math.round(0.5) == 1.0",
    "math.abs(-1) == 1 && math.abs(1u) == 1u && math.abs(-1.5) == 1.5",
    "math.sign(-5) == -1 && math.sign(0u) == 0u && math.sign(2.5) == 1.0 && math.isNaN(math.sign(0.0/0.0))",
    "math.isNaN(0.0/0.0) && math.isInf(1.0/0.0) && math.isFinite(1.0) && !math.isFinite(-1.0/0.0)",
    "math.bitAnd(5, 3) == 1 && math.bitOr(4, -2) == -2 && math.bitXor(1u, 3u) == 2u",
    "math.bitNot(0u) == 18446744073709551615u",
    "math.bitShiftLeft(1, 63) == -9223372036854775808 && math.bitShiftLeft(1, 64) == 0",
    "math.bitShiftLeft(-1, 1) == -2",
    "math.bitShiftRight(-1024, 2) == 4611686018427387648 && math.bitShiftRight(-1, 64) == 0",
    "math.bitShiftRight(8u, 3) == 1u",
    "math.sqrt(4) == 2.0 && math.sqrt(2.25) == 1.5 && math.sqrt(9u) == 3.0 && math.isNaN(math.sqrt(-1))",
    "(0.0/0.0).isNan() && (1.0/0.0).isInf() && (1.0/0.0).isInf(1) && !(1.0/0.0).isInf(-1) && !(1.0).isInf(0)",
  ])
  func `numbers are compared, rounded and taken apart`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: [
    ("math.abs(-9223372036854775808)", EvaluationError.Kind.overflow), ("math.bitShiftLeft(1, -1)", .invalidArgument),
    ("math.bitShiftRight(1u, -1)", .invalidArgument), ("math.greatest(dyn([]))", .invalidArgument),
    ("math.greatest(dyn('a'))", .noSuchOverload), ("math.greatest([dyn(1), dyn('a')])", .noSuchOverload),
    ("math.least(dyn(1), dyn(null))", .noSuchOverload), ("math.ceil(dyn(1))", .noSuchOverload),
    ("math.bitAnd(dyn(1), dyn(1u))", .noSuchOverload),
  ])
  func `what has no result is an error`(source: String, kind: EvaluationError.Kind) {
    #expect(failureKind(source) == kind)
  }
}
