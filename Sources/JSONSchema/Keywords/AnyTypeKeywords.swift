internal import JSON

// `type`, `enum`, `const` (validation, section 6.1).

extension KeywordRule {
  /// Keywords about values of every type.
  static let anyType: [KeywordRule] = [
    KeywordRule(
      .type,
      in: .validation,
      parameters: ["expected", "actual"],
      texts: """
        en|This must be {expected}{not}.
        ko|다음 형식이어야 합니다: {expected}.
        de|Erwartet wird {expected}.
        fr|La valeur doit être {expected}.
        es|El valor debe ser {expected}.
        pt|O valor deve ser {expected}.
        it|Il valore deve essere {expected}.
        ja|{expected}でなければなりません。
        zh|必须是{expected}。
        """
    ) { $0.compileAnyType($1, $2, &$3) },
    KeywordRule(
      .enum,
      in: .validation,
      parameters: ["allowed"],
      texts: """
        en|This must be {allowed}{not}.
        en.many|This must be one of the allowed values.
        ko|다음 중 하나여야 합니다: {allowed}.
        ko.many|허용된 값 중 하나여야 합니다.
        de|Erwartet wird {allowed}.
        de.many|Erwartet wird einer der erlaubten Werte.
        fr|La valeur doit être {allowed}.
        fr.many|La valeur doit être l’une des valeurs autorisées.
        es|El valor debe ser {allowed}.
        es.many|El valor debe ser uno de los permitidos.
        pt|O valor deve ser {allowed}.
        pt.many|O valor deve ser um dos permitidos.
        it|Il valore deve essere {allowed}.
        it.many|Il valore deve essere uno di quelli consentiti.
        ja|{allowed}のいずれかでなければなりません。
        ja.many|許可された値のいずれかでなければなりません。
        zh|必须是{allowed}。
        zh.many|必须是允许的值之一。
        """
    ) { $0.compileAnyType($1, $2, &$3) },
    KeywordRule(
      .const,
      from: .draft6,
      in: .validation,
      parameters: ["allowed"],
      texts: """
        en|This must be {allowed}{not}.
        ko|다음 값이어야 합니다: {allowed}.
        de|Erwartet wird {allowed}.
        fr|La valeur doit être {allowed}.
        es|El valor debe ser {allowed}.
        pt|O valor deve ser {allowed}.
        it|Il valore deve essere {allowed}.
        ja|{allowed}でなければなりません。
        zh|必须是{allowed}。
        """
    ) { $0.compileAnyType($1, $2, &$3) },
  ]
}

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
    case .enum:
      guard let values = value.arrayValue else {
        report(work, "enum", "enum must be an array")
        return
      }
      tables.enumerations.append(Enumeration(values))
      work.emit(.enumeration, .enum, Int32(tables.enumerations.count - 1))
    default: keyword.failAsMisplaced()
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

extension Program {
  /// The parameters of a failed assertion about values of every type.
  func parameters(ofAnyType instruction: Instruction, _ value: JSON) -> FailureParameters {
    let operand = Int(instruction.a)
    switch instruction.operation {
    case .type:
      // A schema `false` in parts.
      if instruction.keyword == .falseSchema { return .none }
      return .types(
        expected: TypeMask(rawValue: UInt8(truncatingIfNeeded: instruction.a)).names,
        actual: value.typeName
      )
    case .const: return .allowed([constants[operand]])
    case .enumeration: return .allowed(enumerations[operand].values)
    default: return .none
    }
  }
}
