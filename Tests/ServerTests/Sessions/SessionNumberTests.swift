import JSON
import Server
import Testing

struct SessionNumberTests {
  @Test
  func `each of many sessions is found by its number, whatever was closed before`() {
    let client = TestDaemon().connect()
    let numbers = (0..<50).map { _ in client.open("login") }
    #expect(numbers == numbers.sorted())
    for (position, number) in numbers.enumerated() where position % 3 == 1 {
      client.result("session/close", ["session": .integer(number)])
    }
    for (position, number) in numbers.enumerated() {
      let answer = client.request("session/get", ["session": .integer(number)]).last
      if position % 3 == 1 {
        #expect(answer?.at("error", "code") == 1001)
      } else {
        #expect(answer?.at("result", "session") == .integer(number))
      }
    }
    let listed = client.result("session/list")["sessions"]?.arrayValue?.compactMap { $0["session"]?.integerValue }
    #expect(listed == numbers.enumerated().filter { $0.offset % 3 != 1 }.map(\.element))
  }

  @Test(arguments: [0, -1, .max, .min] as [Int64])
  func `no number outside of those that were given finds a session`(_ number: Int64) {
    let client = TestDaemon().connect()
    client.open("login")
    #expect(client.error("session/get", ["session": .integer(number)])["code"] == 1001)
  }
}
