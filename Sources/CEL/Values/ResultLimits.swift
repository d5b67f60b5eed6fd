/// How large a value one function may build. Together with the evaluation's budget this bounds the memory of an
/// evaluation.
public enum ResultLimits {
  /// The longest text or byte sequence, in bytes: the size limit of one protocol message.
  public static let bytesMax = 4 << 20
  /// The longest list and the largest map: as many nodes as one JSON text may have.
  public static let elementsMax = 100_000
  /// How many bytes of a result's texts cost a step, so that the budget also bounds the writing of a result.
  public static let bytesPerStep = 8
  /// The most digits after the point that `format` prints; a double's exact value has no more than 1,074.
  public static let precisionMax = 1_100

  /// The failure for a text beyond ``bytesMax``.
  static let textTooLarge = Value.failure(.tooLarge, "the text would be longer than \(bytesMax) bytes")
  /// The failure for a list or map beyond ``elementsMax``.
  static let listTooLarge = Value.failure(.tooLarge, "the list or map would have more than \(elementsMax) elements")
}
