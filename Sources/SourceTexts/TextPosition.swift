public import JSON

/// A position in a text, for programs: line and character from 0, as the Language Server Protocol has them.
///
/// The ``PositionEncoding`` defines the characters; ``LineColumn`` is the same for people.
public struct TextPosition: Hashable, Sendable {
  /// The line, from 0.
  public var line: Int
  /// The characters of the line before the position.
  public var character: Int

  public init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }
}

extension TextPosition: Comparable {
  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

extension TextPosition: CustomStringConvertible {
  /// `line:character`, from 0.
  public var description: String { "\(line):\(character)" }
}

/// A stretch of a text between two positions.
public struct TextRange: Hashable, Sendable {
  /// The position of the first character.
  public var start: TextPosition
  /// The position behind the last character; equal to ``start`` for an empty range.
  public var end: TextPosition

  /// The range between two positions, the first of them not behind the second.
  public init(start: TextPosition, end: TextPosition) {
    self.start = start
    self.end = end
  }
}

extension TextRange {
  /// The range as a JSON object, as the Language Server Protocol writes it: `start` and `end`, each with `line` and
  /// `character`.
  public var json: JSON { ["start": start.json, "end": end.json] }
}

extension TextPosition {
  fileprivate var json: JSON { ["line": .integer(Int64(line)), "character": .integer(Int64(character))] }
}

extension TextRange: CustomStringConvertible {
  /// `line:character-line:character`, from 0.
  public var description: String { "\(start)-\(end)" }
}
