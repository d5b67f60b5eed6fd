extension Library {
  /// `quantity('500m')` and what can be done with one.
  static let quantities = Library(
    name: "kubernetes.quantity",
    overloads: quantityMakers + quantityNumbers + quantitySums
      + comparisons("quantity", .quantity) { (left: Quantity, right) in left.compared(to: right) },
    types: [Quantity.type.name: .quantity]
  )

  private static let quantityMakers: [Overload] = [
    Overload(
      id: "string_to_quantity",
      name: "quantity",
      parameters: [.string],
      result: .quantity,
      cost: .linear([0]),
      implementation: .text { text in
        do throws(Quantity.ParsingError) {
          return .abstract(try Quantity(parsing: text))
        } catch {
          let fault = error == .suffix ? "has an unknown suffix" : "is none"
          return .failure(.conversion, "the quantity \(text.excerpt) \(fault); write one such as 500m, 1.5Gi or 2e3")
        }
      }
    ),
    Overload(
      id: "is_quantity_string",
      name: "isQuantity",
      parameters: [.string],
      result: .bool,
      cost: .linear([0]),
      implementation: .text { .bool((try? Quantity(parsing: $0)) != nil) }
    ),
  ]

  private static let quantityNumbers: [Overload] =
    // There it is a function; the documentation writes it as a member.
    [("quantity_sign", false), ("quantity_sign_member", true)].map { id, isMember in
      Overload(
        id: id,
        name: "sign",
        isMember: isMember,
        parameters: [.quantity],
        result: .int,
        implementation: .of(Quantity.self) { .int($0.sign) }
      )
    } + [
      Overload(
        id: "quantity_is_integer",
        name: "isInteger",
        isMember: true,
        parameters: [.quantity],
        result: .bool,
        implementation: .of(Quantity.self) { .bool($0.integer != nil) }
      ),
      Overload(
        id: "quantity_get_int",
        name: "asInteger",
        isMember: true,
        parameters: [.quantity],
        result: .int,
        implementation: .of(Quantity.self) { quantity in
          quantity.integer.map { .int($0) }
            ?? .failure(.conversion, "the quantity \(quantity.text) cannot be converted to an integer")
        }
      ),
      Overload(
        id: "quantity_get_float",
        name: "asApproximateFloat",
        isMember: true,
        parameters: [.quantity],
        result: .double,
        implementation: .of(Quantity.self) { .double($0.approximateDouble) }
      ),
    ]

  private static let quantitySums: [Overload] = {
    func sum(_ id: String, _ name: String, _ type: CELType, isDifference: Bool) -> Overload {
      Overload(
        id: id,
        name: name,
        isMember: true,
        parameters: [.quantity, type],
        result: .quantity,
        implementation: .binary { first, second in
          var other = second.content(Quantity.self)
          if case .int(let integer) = second { other = Quantity(integer) }
          guard let quantity = first.content(Quantity.self), let other else { return .error(.noSuchOverload) }
          let sum = quantity.adding(isDifference ? other.negated : other)
          return sum.map { .abstract($0) } ?? .failure(.tooLarge, "the sum of the quantities has too many digits")
        }
      )
    }
    return [
      sum("quantity_add", "add", .quantity, isDifference: false),
      sum("quantity_add_int", "add", .int, isDifference: false),
      sum("quantity_sub", "sub", .quantity, isDifference: true),
      sum("quantity_sub_int", "sub", .int, isDifference: true),
    ]
  }()

  /// `compareTo`, `isLessThan` and `isGreaterThan`.
  ///
  /// - Parameter order: negative, 0 or positive: the first comes before, stands with or comes after the second.
  static func comparisons<Content: AbstractContent>(
    _ id: String,
    _ type: CELType,
    _ order: @escaping @Sendable (Content, Content) -> Int64
  ) -> [Overload] {
    func declare(_ suffix: String, _ name: String, _ result: CELType, _ body: @escaping @Sendable (Int64) -> Value)
      -> Overload
    {
      Overload(
        id: "\(id)_\(suffix)",
        name: name,
        isMember: true,
        parameters: [type, type],
        result: result,
        implementation: .ofTwo(Content.self) { body(order($0, $1)) }
      )
    }
    return [
      declare("compare_to", "compareTo", .int) { .int($0) },
      declare("is_less_than", "isLessThan", .bool) { .bool($0 < 0) },
      declare("is_greater_than", "isGreaterThan", .bool) { .bool($0 > 0) },
    ]
  }
}
