internal import JSON

// `type`, `enum`, `const` (validation, section 6.1).

extension SchemaCompiler {
  mutating func compileAnyType(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    switch keyword {
    case .type:
      let names: [JSON]
      switch value {
      case .string: names = [value]
      case .array(let elements): names = elements
      default: names = []
      }
      var mask = TypeMask([])
      for name in names {
        guard let text = name.stringValue, var type = TypeMask(name: text) else {
          report(
            work,
            "type",
            "\(name) is not a type; the types are \(TypeMask.all.names.joined(separator: ", ")), integer"
          )
          return
        }
        // Draft 4 (core, section 3.5): an integer is written without a fraction and an exponent.
        if work.dialect.draft == .draft4 { type.remove(.integralReal) }
        mask.formUnion(type)
      }
      guard !mask.isEmpty else {
        report(work, "type", "type must be the name of a type, or an array of such names")
        return
      }
      work.typeMask = mask
      work.emit(.type, .type, Int32(mask.rawValue))
    case .const:
      work.emit(.const, .const, tables.addConstant(value))
    default:
      guard let values = value.arrayValue else {
        report(work, "enum", "enum must be an array")
        return
      }
      tables.enumerations.append(Enumeration(values))
      work.emit(.enumeration, .enum, Int32(tables.enumerations.count - 1))
    }
  }
}

extension TypeMask {
  /// Whether a number passes that neither 64 bits nor a double hold.
  func admits(_ number: JSONDecimal) -> Bool {
    contains(.number) || contains(number.isWrittenAsInteger ? .integer : .integralReal) && number.isWhole
  }

  /// Whether a value of that mask passes.
  @inline(__always)
  func admits(_ value: JSON) -> Bool {
    switch value {
    case .null: contains(.null)
    case .bool: contains(.boolean)
    case .integer: !isDisjoint(with: [.integer, .number])
    case .real(let number): contains(.number) || (contains(.integralReal) && number.rounded(.towardZero) == number)
    case .decimal(let number): admits(number)
    case .string: contains(.string)
    case .array: contains(.array)
    case .object: contains(.object)
    }
  }
}
