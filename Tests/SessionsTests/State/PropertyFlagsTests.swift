import DocumentProperties
import Testing

@testable import Sessions

@Suite struct `Flags of properties` {
  private func bits<Flags: PropertyFlags>(_ type: Flags.Type) -> [Flags.RawValue] {
    Flags.Property.allCases.filter { $0.about.kind == .bool }.map { Flags($0).rawValue }
  }

  @Test func `no two flags of a field share a bit`() {
    let others: [FieldFlags] = [
      .isComposing, .readsAsAbsent, .revealsNow, .isJudged, .isRequiredByFormula, .isDirtyItself, .isRevealed,
      .hasMoved, .isDuplicate, .isNotOffered, .follows, .beganFollowing, .isRemoved, .beganRemoved,
      .hasBeenRecomputed,
    ]
    let all = bits(FieldFlags.self) + others.map(\.rawValue)
    #expect(Set(all).count == all.count && all.allSatisfy { $0.nonzeroBitCount == 1 })
  }

  @Test func `no two flags of a session, a step or an action share a bit`() {
    let others: [SessionFlags] = [
      .hasOnlyFailures, .showsAlways, .skipsChecks, .hasFaults, .hasSnapshot, .ignoresDefaults,
      .trustsNothing, .isResetting,
    ]
    let ofSession = bits(SessionFlags.self) + others.map(\.rawValue)
    #expect(Set(ofSession).count == ofSession.count)
    let ofStep = bits(StepFlags.self) + [StepFlags.isChosen.rawValue]
    #expect(Set(ofStep).count == ofStep.count)
    #expect(Set(bits(ActionFlags.self)).count == bits(ActionFlags.self).count)
  }

  @Test func `stored sessions of older versions read the same, because the bits stay`() {
    let kept = FieldProperty.allCases.filter(\.about.isInSnapshot)
    #expect(kept == [.isTouched, .isEdited, .isFocused])
    #expect(kept.map(\.about.bit) == [6, 7, 8] && FieldProperty.isDirty.about.bit == 5)
    #expect(FieldFlags.sticky.rawValue == 0b1_1111_0001_0000_0011_1100_0000)
  }

  @Test func `a field is visible, enabled and valid in the beginning`() {
    #expect(FieldFlags.usual.isSuperset(of: [.isVisible, .isEnabled, .isValid]))
    let others: FieldFlags = [.isRequired, .isPending, .isDirty, .isTouched, .isEmpty, .isEdited, .isFocused]
    #expect(FieldFlags.usual.isDisjoint(with: others))
    #expect(StepFlags.usual == [.isVisible, .isValid] && SessionFlags.usual == .isValid && ActionFlags.usual == [])
  }
}
