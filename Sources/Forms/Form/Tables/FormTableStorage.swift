internal import JSON

/// Owns the memory behind a form's ``FormTables``.
@safe final class FormTableStorage: @unchecked Sendable {
  let tables: Reference<FormTables>
  private let memory = TableMemory()

  init(_ parts: FormParts, slots: SlotTable, layout: DocumentLayout) {
    let builder = FormTablesBuilder(parts, slots: slots, layout: layout, memory: memory)
    tables = memory.table([builder.tables()]).at(0)
  }
}

/// The memory of tables, which is freed with this object.
@safe final class TableMemory {
  /// Allocated here, freed in `deinit`; nothing in it needs more than that (numbers, pointers, unmanaged references).
  private var blocks: [UnsafeMutableRawPointer] = unsafe []

  /// A table of these entries.
  func table<Entry>(_ entries: [Entry]) -> Table<Entry> {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: max(entries.count, 1))
    unsafe memory.initialize(from: entries, count: entries.count)
    unsafe blocks.append(UnsafeMutableRawPointer(memory))
    return unsafe Table(UnsafeBufferPointer(start: memory, count: entries.count))
  }

  /// A piece of JSON.
  func bytes(_ content: [UInt8]) -> PreparedBytes { unsafe PreparedBytes(content) { unsafe blocks.append($0) } }

  deinit {
    for position in unsafe blocks.indices { unsafe blocks[position].deallocate() }
  }
}
