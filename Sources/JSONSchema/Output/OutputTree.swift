internal import JSON
internal import Texts

/// Output units in a tree that follows the keyword locations (core, section 12.4.3): a node without children is left
/// out, a node with one child is replaced by it.
struct OutputTree {
  private struct Node {
    var pointer: [String]
    var units: [JSONObject] = []
    /// In the order of insertion.
    var children: [(token: String, node: Int)] = []
  }

  private var nodes = [Node(pointer: [])]

  mutating func insert(_ unit: JSONObject, at keywordLocation: JSONPointer) {
    var current = 0
    for token in keywordLocation.tokens {
      if let known = nodes[current].children.first(where: { $0.token.hasSameUTF8(as: token) }) {
        current = known.node
        continue
      }
      let fresh = nodes.count
      nodes.append(Node(pointer: nodes[current].pointer + [token]))
      nodes[current].children.append((token, fresh))
      current = fresh
    }
    nodes[current].units.append(unit)
  }

  /// A failure and its causes; the causes are already below it, by their keyword locations.
  mutating func insert(_ failure: Failure, locale: String) {
    insert(failure.outputUnit(locale: locale), at: failure.keywordLocation)
    for cause in failure.causes { insert(cause, locale: locale) }
  }

  /// The units below the root.
  func units(isValid: Bool) -> [JSON] {
    let root = render(0, isValid: isValid)
    // The root itself is already in the result.
    if root.count == 1, let children = root[0][isValid ? "annotations" : "errors"]?.arrayValue,
      root[0]["error"] == nil, root[0]["keywordLocation"] == ""
    {
      return children
    }
    return root.map { .object($0) }
  }

  /// The units of a node: its own units, with its children inside the first of them; or one unit around several
  /// children; or its only child.
  ///
  /// Keyword locations are as deep as schemas may be nested, which is bounded when they are compiled.
  private func render(_ index: Int, isValid: Bool) -> [JSONObject] {
    let node = nodes[index]
    let children = node.children.flatMap { render($0.node, isValid: isValid) }
    let name = isValid ? "annotations" : "errors"
    guard var first = node.units.first else {
      guard children.count > 1 else { return children }
      return [
        [
          "valid": .bool(isValid), "keywordLocation": .string(JSONPointer(tokens: node.pointer).description),
          "absoluteKeywordLocation": children[0]["absoluteKeywordLocation"] ?? "",
          "instanceLocation": .string(Self.commonInstance(children)), name: .array(children.map { .object($0) }),
        ]
      ]
    }
    if !children.isEmpty { first[name] = .array(children.map { .object($0) }) }
    return [first] + node.units.dropFirst()
  }

  /// The deepest location in the instance that contains the locations of all units.
  private static func commonInstance(_ units: [JSONObject]) -> String {
    var common: [String]?
    for unit in units {
      let tokens = JSONPointer(unit["instanceLocation"]?.stringValue ?? "")?.tokens ?? []
      guard let known = common else {
        common = tokens
        continue
      }
      common = Array(zip(known, tokens).prefix { $0.hasSameUTF8(as: $1) }.map(\.0))
    }
    return JSONPointer(tokens: common ?? []).description
  }
}
