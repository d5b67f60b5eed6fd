internal import Texts

/// The content of a value of an abstract type, such as an IP address. Equal contents are equal values.
public protocol AbstractContent: Hashable, Sendable {
  /// The type that expressions know: `net.IP`.
  static var type: TypeValue { get }
  /// The function that makes a value of ``text``: `ip`.
  static var constructor: String { get }
  /// The value as a text.
  var text: String { get }
}

/// A value of a type that the language does not define: it is compared, and functions take and give it. The content is
/// shared, so that a value of the language stays small.
public final class AbstractValue: Sendable {
  /// The content of the value.
  public let content: any AbstractContent

  public init(_ content: any AbstractContent) { self.content = content }

  /// The value's type.
  public var type: TypeValue { Swift.type(of: content).type }

  func equals(_ other: AbstractValue) -> Bool { Self.areEqual(content, other.content) }

  private static func areEqual<Content: AbstractContent>(_ left: Content, _ right: any AbstractContent) -> Bool {
    (right as? Content).map { left == $0 } ?? false
  }

  /// The value as an expression: `ip("127.0.0.1")`.
  var literal: String { "\(Swift.type(of: content).constructor)(\(content.text.quotedLiteral))" }
}

extension Value {
  /// A value of an abstract type.
  public static func abstract(_ content: some AbstractContent) -> Value { .abstract(AbstractValue(content)) }

  /// The content of a value of an abstract type; nil for any other value.
  func content<Content: AbstractContent>(_ type: Content.Type = Content.self) -> Content? {
    if case .abstract(let value) = self { value.content as? Content } else { nil }
  }
}

/// Implementations over values of an abstract type.
extension Overload.Implementation {
  /// Over one value.
  static func of<Content: AbstractContent>(
    _ type: Content.Type,
    _ body: @escaping @Sendable (Content) -> Value
  ) -> Self {
    .unary { argument in argument.content(type).map(body) ?? .error(.noSuchOverload) }
  }

  /// Over two values of one type.
  static func ofTwo<Content: AbstractContent>(
    _ type: Content.Type,
    _ body: @escaping @Sendable (Content, Content) -> Value
  ) -> Self {
    .binary { first, second in
      guard let left = first.content(type), let right = second.content(type) else { return .error(.noSuchOverload) }
      return body(left, right)
    }
  }

  /// Over a value and a text.
  static func ofText<Content: AbstractContent>(
    _ type: Content.Type,
    _ body: @escaping @Sendable (Content, String) -> Value
  ) -> Self {
    .binary { first, second in
      guard let content = first.content(type), case .string(let text) = second else { return .error(.noSuchOverload) }
      return body(content, text)
    }
  }
}
