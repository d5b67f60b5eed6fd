internal import CEL
internal import DocumentProperties

/// The flags of a field, a step, an action or the form. Their bits come from the list of its properties.
protocol PropertyFlags: OptionSet where RawValue: FixedWidthInteger {
  associatedtype Property: PropertyList
}

extension PropertyFlags {
  /// The flag of a Boolean property.
  @inline(__always)
  init(_ property: Property) { self.init(rawValue: 1 &<< RawValue(truncatingIfNeeded: property.about.bit)) }

  /// The flags of all Boolean properties that meet a condition.
  init(where isIncluded: (DocumentProperties.Property) -> Bool) {
    self.init()
    for property in Property.allCases where property.about.kind == .bool && isIncluded(property.about) {
      formUnion(Self(property))
    }
  }

  /// Whether the flag of that bit is set.
  @inline(__always)
  func contains(bit: UInt8) -> Bool { rawValue & (1 &<< RawValue(truncatingIfNeeded: bit)) != 0 }
}

extension PropertyList {
  /// The positions of the properties that formulas read, each with the content of its cell in the beginning.
  static var firstContents: [(position: Int, content: Value)] {
    inFormulas.map { property in
      let content: Value =
        switch property.about.formula {
        case .bool: .bool(property.about.isUsuallyTrue)
        case .int: .int(0)
        case .string: .string("")
        case .dyn, nil: .null
        }
      return (property.position, content)
    }
  }
}
