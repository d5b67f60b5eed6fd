/// The properties of a pattern that tell its cost before it runs.
struct PatternShape: Sendable {
  /// Every way through the pattern begins at the start of the text: there is only one position to try.
  let isAnchored: Bool
  /// Some part repeats without bound, so that matching may read the rest of a text from each of its positions.
  let isUnbounded: Bool
  /// Some part repeats at all: without that a pattern reads little at each position.
  let repeats: Bool

  init(_ root: PatternNode) {
    repeats = Self.repeats(root)
    isAnchored = Self.isAnchored(root)
    isUnbounded = Self.isUnbounded(root)
  }

  private static func isAnchored(_ node: PatternNode) -> Bool {
    switch node {
    case .anchor(.textStart): true
    case .sequence(let nodes): nodes.first.map(isAnchored) ?? false
    case .alternation(let nodes): nodes.allSatisfy(isAnchored)
    case .capture(let inner, _): isAnchored(inner)
    case .repetition(let inner, let minimum, _, _, _): minimum > 0 && isAnchored(inner)
    case .empty, .scalar, .set, .anchor, .look, .backreference: false
    }
  }

  private static func repeats(_ node: PatternNode) -> Bool {
    switch node {
    case .sequence(let nodes), .alternation(let nodes): nodes.contains(where: repeats)
    case .capture(let inner, _), .look(let inner, _, _, _): repeats(inner)
    case .repetition: true
    case .empty, .scalar, .set, .anchor, .backreference: false
    }
  }

  private static func isUnbounded(_ node: PatternNode) -> Bool {
    switch node {
    case .sequence(let nodes), .alternation(let nodes): nodes.contains(where: isUnbounded)
    case .capture(let inner, _), .look(let inner, _, _, _): isUnbounded(inner)
    case .repetition(let inner, _, let maximum, _, _): (maximum ?? .max) > 100 || isUnbounded(inner)
    case .empty, .scalar, .set, .anchor, .backreference: false
    }
  }
}
