import CEL
import Forms
import Testing

@Suite struct `The functions of formulas` {
  @Test(arguments: [
    "quantity('1Gi')", "isURL('/a')", "semver('1.0.0')", "format.named('uuid')", "'a'.find('a')", "[1].isSorted()",
  ])
  func `are not those of Kubernetes`(source: String) {
    #expect(throws: ExpressionError.self) { try FormFunctions.environment().compile(source) }
  }
}
