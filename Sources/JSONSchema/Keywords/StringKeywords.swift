internal import Budgets
internal import Formats
internal import JSON
internal import Texts

// `maxLength`, `minLength`, `pattern` (validation, section 6.3) and `format` (section 7).

extension KeywordRule {
  /// Keywords about texts.
  static let strings: [KeywordRule] = [
    KeywordRule(
      .maxLength,
      in: .validation,
      parameters: ["limit", "actual"],
      texts: """
        en|This may have at most {limit character/characters}{not}.
        ko|{limit}자 이하로 입력해주세요.
        de|Bitte geben Sie höchstens {limit} Zeichen ein.
        fr|Saisissez au plus {limit caractère/caractères}.
        es|Escriba como máximo {limit carácter/caracteres}.
        pt|Digite no máximo {limit caractere/caracteres}.
        it|Inserire al massimo {limit carattere/caratteri}.
        ja|{limit}文字以内で入力してください。
        zh|最多输入{limit}个字符。
        """
    ) { $0.compileString($1, $2, &$3) },
    KeywordRule(
      .minLength,
      in: .validation,
      parameters: ["limit", "actual"],
      texts: """
        en|This must have at least {limit character/characters}{not}.
        ko|{limit}자 이상 입력해주세요.
        de|Bitte geben Sie mindestens {limit} Zeichen ein.
        fr|Saisissez au moins {limit caractère/caractères}.
        es|Escriba al menos {limit carácter/caracteres}.
        pt|Digite no mínimo {limit caractere/caracteres}.
        it|Inserire almeno {limit carattere/caratteri}.
        ja|{limit}文字以上で入力してください。
        zh|至少输入{limit}个字符。
        """
    ) { $0.compileString($1, $2, &$3) },
    KeywordRule(
      .pattern,
      in: .validation,
      parameters: ["pattern"],
      texts: """
        en|This does not have the required form.
        en.named|{this} does not match the pattern {pattern}.
        ko|형식이 올바르지 않습니다.
        ko.named|다음 패턴에 맞지 않습니다: {pattern}
        de|Das Format stimmt nicht.
        de.named|Der Wert passt nicht zum Muster {pattern}.
        fr|Le format n’est pas correct.
        fr.named|La valeur ne correspond pas au motif {pattern}.
        es|El formato no es correcto.
        es.named|El valor no coincide con el patrón {pattern}.
        pt|O formato não está correto.
        pt.named|O valor não corresponde ao padrão {pattern}.
        it|Il formato non è corretto.
        it.named|Il valore non corrisponde al modello {pattern}.
        ja|形式が正しくありません。
        ja.named|パターン{pattern}に一致しません。
        zh|格式不正确。
        zh.named|与模式{pattern}不匹配。
        """
    ) { $0.compileString($1, $2, &$3) },
    KeywordRule(
      .format,
      parameters: ["format"],
      texts: """
        en|{this} is not {format}.
        ko|{format} 아닙니다.
        de|Das ist {format}.
        fr|La valeur n’est pas {format}.
        es|El valor no es {format}.
        pt|O valor não é {format}.
        it|Il valore non è {format}.
        ja|{format}ではありません。
        zh|这不是{format}。
        """
    ) { $0.compileFormat($2, &$3) },
  ]
}

extension SchemaCompiler {
  mutating func compileString(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    switch keyword {
    case .pattern:
      guard let source = value.stringValue else {
        report(work, "pattern", "pattern must be a string")
        return
      }
      guard let pattern = addPattern(source, work, "pattern") else { return }
      work.emit(.pattern, .pattern, pattern)
    case .maxLength:
      guard let limit = count(keyword, value, work) else { return }
      work.emit(.maxLength, keyword, limit)
    case .minLength:
      guard let limit = count(keyword, value, work) else { return }
      work.emit(.minLength, keyword, limit)
    default: keyword.failAsMisplaced()
    }
  }

  /// The value of a keyword that limits a count: a whole number, 0 or more. One that `Int32` does not hold becomes its
  /// largest.
  mutating func count(_ keyword: Keyword, _ value: JSON, _ work: SchemaInProgress) -> Int32? {
    if let number = value.integerValue, number >= 0 { return Int32(clamping: number) }
    if case .real(let number) = value, number > 0, number.rounded(.towardZero) == number { return Int32.max }
    if case .decimal(let number) = value, number.isWhole, number.doubleValue > 0 { return Int32.max }
    report(work, keyword.rawValue, "\(keyword.rawValue) must be a whole number, 0 or more")
    return nil
  }

  /// The units that compiling a regular expression takes, beside one for each byte.
  private static let patternWork = 50

  /// Compiles a regular expression; nil when the budget is spent, and after reporting why it cannot be used.
  mutating func addPattern(_ source: String, _ work: SchemaInProgress, _ keyword: String) -> Int32? {
    guard budget.spend(Self.patternWork + source.utf8.count) else { return nil }
    do throws(PatternError) {
      let pattern = try Pattern(
        source,
        dialect: .ecma262,
        lengthMax: Pattern.generatedLengthMax,
        leniency: options.patternLeniency
      )
      tables.patterns.append(pattern)
      return Int32(tables.patterns.count - 1)
    } catch {
      report(work, keyword, "the regular expression cannot be used: \(error)", kind: .badPattern)
      return nil
    }
  }

  mutating func compileFormat(_ value: JSON, _ work: inout SchemaInProgress) {
    guard let name = value.stringValue else {
      report(work, "format", "format must be a string")
      return
    }
    let asserts =
      work.has(.formatAssertion) || (options.assertsFormat && work.has(.formatAnnotation))
    guard asserts, let format = TextFormat(rawValue: name) else { return }
    tables.formats.append(FormatRule(name: name, format: format))
    work.emit(.format, .format, Int32(tables.formats.count - 1))
  }
}

extension String {
  /// Whether the text has at least so many code points; ASCII texts are not walked through.
  @inline(__always)
  func hasCodePoints(atLeast limit: Int) -> Bool {
    let bytes = utf8.count
    // A code point has 1 to 4 bytes.
    if bytes < limit { return false }
    if bytes >= limit &* 4 { return true }
    return codePointCount >= limit
  }

  /// Whether the text has at most so many code points.
  @inline(__always)
  func hasCodePoints(atMost limit: Int) -> Bool {
    let bytes = utf8.count
    if bytes <= limit { return true }
    if bytes > limit &* 4 { return false }
    return codePointCount <= limit
  }
}

extension Program {
  /// The parameters of a failed assertion about texts.
  func parameters(ofText instruction: Instruction, _ value: JSON) -> FailureParameters {
    let operand = Int(instruction.a)
    return switch instruction.operation {
    case .maxLength, .minLength: .count(limit: operand, actual: value.stringValue?.codePointCount ?? 0)
    case .pattern: .pattern(patterns[operand].source)
    case .format: .format(formats[operand].name)
    default: .none
    }
  }
}

extension Evaluator {
  /// Whether an instruction about texts holds.
  mutating func holds(_ instruction: Instruction, text: String) -> Bool {
    charge(text.utf8.count >> 6)
    return switch instruction.operation {
    case .maxLength: text.hasCodePoints(atMost: Int(instruction.a))
    case .minLength: text.hasCodePoints(atLeast: Int(instruction.a))
    case .pattern: matches(instruction.a, text)
    case .format: tables.formats[Int(instruction.a)].accepts(text)
    default: instruction.operation.failAsMisplaced()
    }
  }
}
