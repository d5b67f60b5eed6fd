/// The UTF-8 of a text that was known when the expression was planned, in memory of its own: reading it copies and
/// counts nothing.
///
/// `@unchecked Sendable`: the memory is written in the initializer and freed in the deinitializer, never changed
/// between.
final class ConstantText: @unchecked Sendable {
  let units: UnsafeBufferPointer<UInt8>

  init(_ text: String) {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, text.utf8.count))
    let end = memory.initialize(fromContentsOf: Array(text.utf8))
    units = UnsafeBufferPointer(rebasing: memory[..<end])
  }

  deinit {
    units.deallocate()
  }
}
