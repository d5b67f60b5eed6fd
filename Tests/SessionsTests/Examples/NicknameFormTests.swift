import Forms
import JSON
import Sessions
import Testing

@Suite struct `the nickname form` {
  private func open(locale: String = "ko") throws -> SessionDriver {
    SessionDriver(try example("nickname"), options: OpenOptions(locale: locale))
  }

  @Test(arguments: [
    ("ko", "닉네임은 8자 이상입니다"), ("ko-KR", "닉네임은 8자 이상입니다"), ("en", "A nickname has at least eight characters."),
  ])
  func `opens with a helper text and without a message`(_ locale: String, _ helper: String) throws {
    let nickname = try open(locale: locale)
    #expect(nickname["/outputs/helperText"] == .string(helper))
    #expect(nickname.message("nickname") == nil)
    #expect(!nickname.isEnabled("next"))
  }

  @Test(arguments: [
    ("1234567", false), ("12345678", true), ("가나다라마바사", false), ("가나다라마바사아", true),
    ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}1234567", true),
    ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}123456", false),
    // Decomposed, these three syllables are eight code points.
    ("\u{1102}\u{1175}\u{11A8}\u{1102}\u{1166}\u{110B}\u{1175}\u{11B7}", false), ("1234 678", true),
    ("1234567 ", true), (" 123456", false), ("  1234567  ", true), ("        ", true),
  ])
  func `counts what people call characters`(_ text: String, _ isValid: Bool) throws {
    let nickname = try open()
    nickname.change("nickname", .string(text))
    #expect(nickname.isValid == isValid)
    #expect(nickname.isEnabled("next") == isValid)
    #expect(nickname["/outputs/helperText"] == .string(isValid ? "" : "닉네임은 8자 이상입니다"))
    #expect(nickname["/outputs/isHelperHidden"] == .bool(isValid))
    #expect(nickname["/outputs/buttonColor"] == .string(isValid ? "systemRed" : "lightGray"))
  }

  @Test func `shows its message from the first edit on, while typing`() throws {
    let nickname = try open()
    nickname.focus("nickname")
    #expect(nickname.message("nickname") == nil)
    nickname.change("nickname", "kim")
    #expect(nickname.message("nickname") == "8자 이상 입력해주세요.")
    nickname.change("nickname", "kimchi1234")
    #expect(nickname.message("nickname") == nil)
    nickname.change("nickname", "")
    #expect(nickname.message("nickname") == "필수 항목입니다.")
  }

  @Test func `going on needs no server and succeeds in the same turn`() throws {
    let nickname = try open()
    nickname.change("nickname", "kimchi1234")
    let patches = nickname.patches.count
    #expect(nickname.tap("next").outcome == .started)
    #expect(nickname.patches.count == patches + 1)
    #expect(nickname.events.map(\.kind) == [.succeeded])
    #expect(nickname["/actions/next"] == ["isEnabled": true, "isLoading": false, "attempts": 1])
  }
}
