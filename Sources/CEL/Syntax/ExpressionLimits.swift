/// Bounds on the source of an expression. They keep a hostile source from taking the stack or the memory.
public struct ExpressionLimits: Sendable {
  /// The size of a source, in code points. The same number as cel-go's default.
  public var codePointsMax = 100_000
  /// How deeply brackets, calls and operators may be nested. cel-go's default recursion limit is 250 as well.
  public var nestingMax = 250
  /// How deep the finished tree may be; chains such as `a + b + c` deepen the tree without nesting.
  ///
  /// Each pass walks down the tree by recursion. A tree of the default depth takes about 4 MiB of stack in a debug
  /// build, and far less in a release build.
  public var depthMax = 500

  /// The defaults.
  public init() {}
}
