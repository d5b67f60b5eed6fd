import Actions
import CEL
internal import Configuration
import FormProtocol
import Foundation
import JSON
import Logging
import PostgreSQL
import Server
import SessionStore
import Testing
internal import Times

struct ConfigurationTests {
  static func read(_ text: String) -> Result<ServerConfiguration, ConfigurationError> {
    do throws(ConfigurationError) {
      return .success(try ServerConfiguration.read(Array(text.utf8), file: "/etc/formd/formd.json"))
    } catch {
      return .failure(error)
    }
  }

  @Test
  func `a full configuration is read`() throws {
    let configuration = try Self.read(
      #"""
      { "$schema": "x", "socket": "/run/formd.sock", "forms": ["forms", "/srv/forms"],
        "services": { "accounts": { "http": { "baseURL": "http://127.0.0.1:1", "headers": {"x-key": "k"}, "connections": 3 } },
                      "fake": { "mock": [ { "method": "GET", "path": "/", "status": 201, "json": {"a": 1}, "delay": "300ms" } ] } },
        "databases": { "main": { "sqlite": { "path": "main.sqlite", "writable": true } } },
        "providers": { "oracle": { "timeout": "2s", "secrets": true, "token": "correct horse battery",
          "holders": 4 } },
        "definitions": { "services": ["fake"] }, "zone": "Asia/Seoul",
        "limits": { "batchMax": 7, "drainMs": 0 }, "log": { "level": "debug", "slowTurn": "25ms" },
        "metrics": { "file": "formd.prom", "interval": "5s", "address": "[::1]:9469" } }
      """#
    ).get()
    #expect(configuration.socket == "/run/formd.sock")
    #expect(configuration.forms == ["/etc/formd/forms", "/srv/forms"])
    #expect(configuration.zone?.name == "Asia/Seoul")
    #expect(configuration.limits[.batchMax] == 7)
    #expect(configuration.limits[.drainMs] == 0)
    #expect(configuration.logLevel == .debug)
    #expect(configuration.actions.services.count == 2)
    guard case .sqlite(let file)? = configuration.actions.databases["main"] else {
      Issue.record("no file of SQLite")
      return
    }
    #expect(file.path == "/etc/formd/main.sqlite")
    #expect(file.isWritable)
    #expect(
      configuration.providers["oracle"]
        == ProviderConfiguration(timeoutMs: 2000, secrets: true, token: "correct horse battery", holdersMax: 4)
    )
    #expect(configuration.slowTurn == .milliseconds(25))
    #expect(configuration.metrics.file == "/etc/formd/formd.prom")
    #expect(configuration.metrics.interval == .seconds(5))
    #expect(configuration.metrics.address == MetricsConfiguration.Address(host: "::1", port: 9469))
    #expect(configuration.definitions.services == ["fake"])
  }

  @Test
  func `users and groups are found by their names, or are numbers`() throws {
    let configuration = try Self.read(
      #"""
      {"peers": [{"user": "root", "roles": ["client"]}, {"group": "root", "roles": ["operator", "provider"]},
        {"user": "4711", "roles": ["client"]}]}
      """#
    ).get()
    #expect(
      configuration.peers == [
        PeerConfiguration(.user(0), roles: [.client]), PeerConfiguration(.group(0), roles: [.operator, .provider]),
        PeerConfiguration(.user(4711), roles: [.client]),
      ]
    )
    #expect(ConfigurationChanges(from: ServerConfiguration(), to: configuration).followed == ["peers"])
  }

  @Test
  func `the door for browsers is read, and the daemon follows no change of it`() throws {
    let text = #"""
      { "web": { "address": "0.0.0.0:80", "insecure": true, "path": "/a/b", "hosts": ["Shop.Example.com"],
        "origins": ["https://Shop.example.com"], "trustedProxies": ["::1", "10.0.0.0/8"],
        "forms": { "feedback": { "open": true, "keep": "30m" }, "login": {} }, "limits": { "connectionsMax": 7 } } }
      """#
    let configuration = try Self.read(text).get()
    let web = try #require(configuration.web)
    #expect(web.address == MetricsConfiguration.Address(host: "0.0.0.0", port: 80))
    #expect((web.path, web.hosts, web.origins) == ("/a/b", ["shop.example.com"], ["https://shop.example.com"]))
    #expect(web.trustedProxies == [try #require(InternetNetwork("::1")), try #require(InternetNetwork("10.0.0.0/8"))])
    #expect(web.forms == ["feedback": .init(isOpen: true, keep: .seconds(1_800)), "login": .init(isOpen: false)])
    #expect(configuration.warnings.isEmpty)
    #expect(web.limits[.connectionsMax] == 7 && web.limits[.messagesPerSecond] == 50)
    let without = try Self.read("{}").get()
    #expect(without.web == nil)
    let changes = ConfigurationChanges(from: configuration, to: without)
    #expect(changes.followed == [] && changes.needRestart == [])
  }

  @Test
  func `what of the door cannot take effect is warned of`() throws {
    let text = #"""
      { "web": { "hosts": ["a"], "origins": ["https://a:443", "http://a:80", "https://a:80", "http://a:443", "https://a"],
        "forms": { "x": { "keep": "30m" }, "y": { "open": true, "keep": "30m" } } } }
      """#
    let warnings = try Self.read(text).get().warnings.map { "\($0)" }
    #expect(warnings.count == 3)
    for (place, part) in [
      ("1:40", "write \"https://a\""), ("1:57", "write \"http://a\""), ("2:21", "add \"open\": true"),
    ] {
      #expect(warnings.contains { $0.contains(place) && $0.contains(part) }, "\(warnings)")
    }
  }

  @Test(arguments: [
    "https://a/", "https://u@a", "HTTPS//a", "https://ä.example", "ftp://a", "*", "https://*.a", "null",
    "https://a:port",
  ])
  func `an origin that no browser can send is refused`(_ origin: String) {
    #expect(throws: ConfigurationError.self) {
      try Self.read(#"{"web": {"hosts": ["a"], "origins": ["\#(origin)"]}}"#).get()
    }
  }

  @Test(arguments: [
    (#"{"sokcet": "x"}"#, "1:2", "did you mean \"socket\"?"),
    ("{\n  \"limits\": {\"bachMax\": 1}\n}", "2:14", "did you mean \"batchMax\"?"),
    (#"{"log": {"colour": "red"}}"#, "1:10", "known keys: level"),
    (#"{"limits": {"drainMs": 9223372036854775807}}"#, "1:24", "at most 86400000"),
    (#"{"limits": {"depthMax": 100000}}"#, "1:25", "at most 512"),
    (#"{"providers": {"a": {"secrets": true}}}"#, "1:33", "add a \"token\""),
    (#"{"providers": {"a": {"token": "short"}}}"#, "1:31", "16"),
    (#"{"providers": {"a": {"holders": 0}}}"#, "1:33", "1"), (#"{"providers": {"a": {"holders": 65}}}"#, "1:33", "64"),
    (#"{"metrics": {"address": "0.0.0.0:9469"}}"#, "1:25", "is not a loopback address"),
    (#"{"metrics": {"address": "0.0.0.0:9469"}}"#, "1:25", "127.0.0.1:9469"),
    (#"{"metrics": {"address": "127.0.0.1:99999"}}"#, "1:25", "from 0 to 65535"),
    (#"{"metrics": {"address": "127.0.0.1:+80"}}"#, "1:25", "\"+80\" is not a port"),
    (#"{"metrics": {"address": "127.0.0.999:80"}}"#, "1:25", "\"127.0.0.999\" is not a loopback address"),
    (#"{"metrics": {"address": "localhost:80"}}"#, "1:25", "\"localhost\" is not a loopback address"),
    (#"{"metrics": {"address": "127.0.0.1"}}"#, "1:25", "has no port"),
    (#"{"metrics": {"address": "::1"}}"#, "1:25", "has no port"),
    (#"{"services": {"a": {"htpp": {}}}}"#, "1:21", "did you mean \"http\"?"),
    (#"{"limits": {"batchMax": "1"}}"#, "1:25", "integer"),
    (#"{"limits": {"batchMax": 0}}"#, "1:25", "at least 1"),
    (#"{"zone": "Europe/Zurch"}"#, "1:10", "Europe/Zurich"),
    (#"{"socket": 1}"#, "1:12", "string"),
    (#"{"peers": [{"user": "nosuchname", "roles": ["client"]}]}"#, "1:21", "no user \"nosuchname\" on this machine"),
    (#"{"peers": [{"group": "nosuchname", "roles": ["client"]}]}"#, "1:22", "no group \"nosuchname\""),
    (#"{"peers": [{"user": "root", "roles": []}]}"#, "1:38", "at least 1"),
    (#"{"peers": [{"user": "root"}]}"#, "1:12", "\"roles\" is missing"),
    (#"{"peers": [{"user": "root", "roles": ["boss"]}]}"#, "1:39", "operator"),
    (#"{"peers": [{"roles": ["client"]}]}"#, "1:12", "A user or a group"),
    (#"{"peers": [{"user": "root", "group": "root", "roles": ["client"]}]}"#, "1:12", "A user or a group"),
    (#"{"forms": "x"}"#, "1:11", "array is needed"),
    (#"{"services": {"a": {}}}"#, "1:20", "Exactly one of http and mock"),
    (#"{"services": {"a": {"http": {}}}}"#, "1:29", "\"baseURL\" is missing"),
    (#"{"services": {"a": {"http": {"baseURL": "ftp://x"}}}}"#, "1:41", "http://127.0.0.1"),
    (#"{"services": {"a": {"http": {"baseURL": "http://h/?q=1"}}}}"#, "1:41", "has a query or a fragment"),
    (#"{"services": {"a": {"http": {"baseURL": "http://h/#f"}}}}"#, "1:41", "has a query or a fragment"),
    (#"{"services": {"a": {"http": {"baseURL": "http://u:canary@h"}}}}"#, "1:41", "use a header"),
    (#"{"services": {"a": {"http": {"baseURL": "http://h:99999"}}}}"#, "1:41", "invalid port"),
    (#"{"services": {"a": {"http": {"baseURL": "http://a b"}}}}"#, "1:41", "a space"),
    (#"{"services": {"a": {"http": {"baseURL": "http:///x"}}}}"#, "1:41", "has no host"),
    (
      #"{"services": {"a": {"http": {"baseURL": "http://h", "headers": {"x-key": "canary\r\nx: y"}}}}}"#, "1:74",
      "one line"
    ),
    (#"{"services": {"a": {"http": {"baseURL": "http://h", "headers": {"x key": "canary"}}}}}"#, "1:74", "one line"),
    (#"{"definitions": {"services": ["acounts"]}, "services": {"accounts": {"mock": []}}}"#, "1:31", "\"accounts\"?"),
    (#"{"definitions": {"databases": ["shop"]}}"#, "1:32", "no database \"shop\" in the configuration"),
    (#"{"limits": {"sessionsMax": 10, "keptSessionsMax": 11}}"#, "1:51", "\"sessionsMax\", which is 10"),
    (#"{"limits": {"keepMax": 86400001}}"#, "1:24", "add a \"store\""),
    (#"{"limits": {"textBytesMax": 67108865}}"#, "1:29", "\"unreadBytesMax\", which is 67108864 by default"),
    (#"{"services": {"a": {"mock": [{"delay": "soon"}]}}}"#, "1:40", "300ms"),
    (#"{"services": {"a": {"mock": [{"delay": "48h"}]}}}"#, "1:40", "a day"),
    (#"{"log": {"level": "loud"}}"#, "1:19", "warning"),
    (#"{"databases": {"a": {"sqlite": {}}}}"#, "1:32", "\"path\" is missing"),
    (#"{"databases": {"a": {}}}"#, "1:21", "Exactly one of sqlite and postgres"),
    (#"{"databases": {"a": {"postgres": {}}}}"#, "1:34", "\"url\" is missing"),
    (#"{"databases": {"a": {"postgres": {"url": "mysql://x"}}}}"#, "1:42", "postgresql://formd@db.example.com/shop"),
    (#"{"databases": {"a": {"postgres": {"url": "postgresql://h/d?sslmod=x"}}}}"#, "1:42", "\"sslmod\""),
    (#"{"databases": {"a": {"postgres": {"url": "postgresql://h:5x/d"}}}}"#, "1:42", "port is not a number"),
    (#"{"databases": {"a": {"postgres": {"url": "postgresql:///d", "connections": 0}}}}"#, "1:76", "at least 1"),
    (
      #"{"databases": {"a": {"postgres": {"url": "postgresql:///d", "password": {"file": "no"}}}}}"#, "1:73",
      "/etc/formd/no: "
    ),
    (#"{"providers": {"a": {"token": {"file": "no"}}}}"#, "1:31", "/etc/formd/no: the secret cannot be read"),
    (#"{"providers": {"a": {"token": {"file": "/"}}}}"#, "1:31", "/: the secret cannot be read"),
    (#"{"providers": {"a": {"token": {"credential": "../x"}}}}"#, "1:46", "name of a credential"),
    (#"{"providers": {"a": {"token": {"credential": "x"}}}}"#, "1:46", "CREDENTIALS_DIRECTORY is not set"),
    (#"{"providers": {"a": {"token": {}}}}"#, "1:31", "The token"),
    (#"{"providers": {"a": {"token": {"file": "a", "credential": "b"}}}}"#, "1:31", "at most 1"),
    (
      #"{"services": {"a": {"http": {"baseURL": "http://h", "headers": {"x-key": {"file": "no"}}}}}}"#, "1:74",
      "/etc/formd/no: "
    ),
    (
      #"{"services": {"a": {"http": {"baseURL": "https://h", "tls": {"minimumVersion": "1.1"}}}}}"#, "1:80", "1.2"
    ),
    (#"{"store": {}}"#, "1:11", "exactly one of sqlite and postgres"),
    (
      #"{"store": {"sqlite": {"path": "s"}, "postgres": {"url": "postgresql:///d"}}}"#, "1:11",
      "exactly one of sqlite and postgres"
    ),
    (#"{"store": {"postgres": {}}}"#, "1:24", "\"url\" is missing"),
    (#"{"store": {"postgres": {"url": "postgresql://h/d?sslmod=x"}}}"#, "1:32", "\"sslmod\""),
    (#"{"store": {"postgres": {"url": "postgresql:///d", "connections": 2}}}"#, "1:51", "known keys: url, "),
    (#"{"store": {"postgres": {"url": "postgresql:///d", "lease": "15"}}}"#, "1:60", "300ms"),
    (#"{"store": {"postgres": {"url": "postgresql:///d", "lease": "999ms"}}}"#, "1:60", "from 1s to 10m"),
    (#"{"store": {"postgres": {"url": "postgresql:///d", "lease": "601s"}}}"#, "1:60", "from 1s to 10m"),
    (#"{"store": {"postgres": {"url": "postgresql:///d", "lease": "48h"}}}"#, "1:60", "a day"),
    (#"{"store": {"postgres": {"url": "postgresql:///d", "password": {"file": "no"}}}}"#, "1:63", "/etc/formd/no: "),
    ("[]", "1:1", "object"),
    ("{\"socket\": \"x\",}", "1:", "remove it"),
  ])
  func `a mistake is told with its place and what to write instead`(
    _ text: String,
    _ position: String,
    _ advice: String
  )
    throws
  {
    guard case .failure(let error) = Self.read(text) else {
      Issue.record("accepted: \(text)")
      return
    }
    #expect(error.problems.count == 1)
    #expect(error.description.hasPrefix("/etc/formd/formd.json:\(position)"), "\(error)")
    #expect(error.description.contains(advice), "\(error)")
    #expect(!error.description.contains("canary"), "\(error)")
  }

  @Test(arguments: [
    #"{"services": {"a": {"http": {"baseURL": "canary"}}}}"#,
    #"{"services": {"a": {"http": {"baseURL": ["canary"]}}}}"#,
    #"{"services": {"a": {"http": {"baseURL": "ftp://u:canary@h"}}}}"#,
    #"{"services": {"a": {"http": {"baseURL": "http://h", "headers": "canary"}}}}"#,
    #"{"services": {"a": {"http": {"baseURL": "http://h", "headers": {"x": ["canary"]}}}}}"#,
    #"{"services": {"a": {"http": {"baseURL": "http://h", "proxy": "ftp://u:canary@h"}}}}"#,
    #"{"services": {"a": {"http": {"baseURL": "http://h", "proxy": "http://u:canary@h h"}}}}"#,
    #"{"services": {"a": {"http": {"baseURL": "http://h", "proxy": "http://u:canary@h", "socket": "/s"}}}}"#,
    #"{"providers": {"a": {"token": "canary"}}}"#,
    #"{"providers": {"a": {"token": {"canary": "canary canary canary"}}}}"#,
    #"{"databases": {"a": {"postgres": {"url": "postgresql:///d", "password": ["canary"]}}}}"#,
    #"{"store": {"postgres": {"url": "postgresql:///d", "password": 5}}}"#,
    #"{"providers": {"a": {"token": "canary canary canary}}}"#,
    "{\"providers\": {\"a\": {\"token\": \"canary\ncanary canary\"}}}",
  ])
  func `no message has the value of a header, a token, a password or an address`(_ text: String) {
    guard case .failure(let error) = Self.read(text) else {
      Issue.record("accepted: \(text)")
      return
    }
    #expect(!error.description.contains("canary"), "\(error)")
  }

  @Test
  func `a limit that another one makes unreachable is a mistake only if it is written`() throws {
    let weeks = #"{"limits": {"keepMax": 1209600000}, "store": {"sqlite": {"path": "/tmp/kept.sqlite"}}}"#
    #expect(try Self.read(weeks).get().limits[.keepMax] == 1_209_600_000)
    let limits = try Self.read(#"{"limits": {"sessionsMax": 10, "sessionsPerConnectionMax": 10}}"#).get().limits
    #expect(limits[.keptSessionsMax] == Limit.keptSessionsMax.standard)
  }

  @Test(arguments: [
    (0o600, 0, 0), (0o640, 0, 0), (0o660, 0, 0), (0o644, 0, 1), (0o604, 0, 1), (0o646, 1, 0), (0o602, 1, 0),
  ])
  func `a file that others may change is refused, and one with secrets that they may read is warned about`(
    _ mode: Int,
    _ errors: Int,
    _ warnings: Int
  ) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    for (text, holdsSecret) in [
      (#"{"providers": {"a": {"token": "canary canary canary"}}}"#, true),
      (#"{"services": {"a": {"http": {"baseURL": "http://h", "headers": {"Authorization": "canary"}}}}}"#, true),
      (#"{"services": {"a": {"http": {"baseURL": "http://h", "proxy": "http://u:canary@p"}}}}"#, true),
      (#"{"store": {"postgres": {"url": "postgresql:///d", "password": "canary"}}}"#, true),
      (#"{"services": {"a": {"http": {"baseURL": "http://h", "headers": {"accept": "text/plain"}}}}}"#, false),
    ] {
      try Data(text.utf8).write(to: file)
      #expect(chmod(file.path, mode_t(mode)) == 0)
      do throws(ConfigurationError) {
        let configuration = try ServerConfiguration.read(path: file.path)
        #expect(errors == 0)
        #expect(configuration.warnings.count == (holdsSecret ? warnings : 0), "\(configuration.warnings)")
        #expect(configuration.warnings.allSatisfy { "\($0)".contains("chmod go-rwx") })
        #expect(!"\(configuration.warnings)".contains("canary"))
      } catch {
        #expect(errors == 1 && error.problems.count == 1 && error.description.contains("chmod go-w"), "\(error)")
        #expect(!error.description.contains("canary"))
      }
    }
  }

  @Test(arguments: [
    "postgresql://formd:canary-7c1@h/d", "postgresql://formd:canary-7c1@/d?host=/run",
    "postgres://h/d?password=canary-7c1",
    "postgres://h/d?pass%77ord=canary-7c1", "postgresql://formd:canary-7c1%zz@h/d", "postgresql://formd:canary/7c1@h/d",
    "postgresql://h/d?sslpassword=canary-7c1", "postgresql://h/d?password=canary-7c1%zz",
    "postgresql://[h/d?user=canary-7c1",
    "http://formd:canary-7c1@h/d",
  ])
  func `an address that holds a password is refused, and the password is not told`(_ url: String) {
    for text in [
      #"{"databases": {"a": {"postgres": {"url": "\#(url)"}}}}"#, #"{"store": {"postgres": {"url": "\#(url)"}}}"#,
    ] {
      guard case .failure(let error) = Self.read(text) else {
        Issue.record("accepted: \(text)")
        continue
      }
      #expect(error.problems.count == 1)
      #expect(!error.description.contains("canary"), "\(error)")
    }
  }

  @Test
  func `secrets are read from files and credentials, and are in nothing that is printed`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, to name: String) throws {
      let file = folder.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      #expect(chmod(file.path, 0o600) == 0)
    }
    func read(_ text: String) -> Result<ServerConfiguration, ConfigurationError> {
      Result { () throws(ConfigurationError) in
        try ServerConfiguration.read(Array(text.utf8), file: folder.path + "/formd.json")
      }
    }
    try write("canary-header\n", to: "header")
    try write("canary-canary-token\r\n", to: "token")
    try write("http://u:canary@p:1", to: "proxy")
    let text = """
      {"services": {"a": {"http": {"baseURL": "http://h", "headers": {"x-key": {"file": "header"}, "x": "y"},
                                   "proxy": {"file": "proxy"}, "timeout": "2s"}}},
       "providers": {"p": {"secrets": true, "token": {"file": "\(folder.path)/token"}}}}
      """
    let configuration = try read(text).get()
    guard case .http(let service)? = configuration.actions.services["a"] else {
      Issue.record("no service")
      return
    }
    #expect(service.headers.map(\.value) == ["canary-header", "y"])
    #expect("\(service.route)".contains("http://u:canary@p:1") && service.timeout == .seconds(2))
    #expect(configuration.providers["p"]?.token == "canary-canary-token")
    #expect(configuration.warnings == [])
    #expect(!"\(configuration.members)".contains("canary"))

    // A changed file is a changed setting, which is named without its value.
    try write("canary-header-2\n", to: "header")
    let changes = ConfigurationChanges(from: configuration, to: try read(text).get())
    #expect(changes.followed == ["services.a"] && changes.concernActions)

    // What a file has is judged as what the configuration has.
    for (content, file, why) in [
      ("canary\ncanary", "header", "one line"), ("canary", "token", "16 to 256"), ("", "header", "is empty"),
      ("canary canary", "proxy", "not the URL of a proxy"),
      (String(repeating: "canary", count: 20_000), "token", "cannot be read"),
    ] {
      let kept = try Data(contentsOf: folder.appendingPathComponent(file))
      try write(content, to: file)
      guard case .failure(let error) = read(text) else {
        Issue.record("accepted: \(why)")
        continue
      }
      #expect(error.problems.count == 1 && error.description.contains(why), "\(error)")
      #expect(!error.description.contains("canary"), "\(error)")
      try kept.write(to: folder.appendingPathComponent(file))
    }
    #expect(chmod(folder.path + "/token", 0o644) == 0)
    let warnings = try read(text).get().warnings
    #expect(warnings.count == 1 && "\(warnings)".contains("chmod go-rwx \(folder.path)/token"), "\(warnings)")
    #expect(chmod(folder.path + "/token", 0o622) == 0)
    guard case .failure(let error) = read(text) else {
      Issue.record("accepted a file that others may change")
      return
    }
    #expect(error.description.contains("chmod go-w"))
  }

  @Test
  func `a database of PostgreSQL is read, and its password is in nothing that is printed`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("canary-7c1\nx".utf8).write(to: folder.appendingPathComponent("password"))
    let text = """
      {"databases": {
        "a": {"postgres": {"url": "postgresql://formd@db/shop", "password": {"file": "password"}, "connections": 9, "writable": true}},
        "b": {"postgres": {"url": "postgres:///shop?host=/run/postgresql", "password": "canary-7c2"}}},
       "store": {"postgres": {"url": "postgresql://formd@db/kept", "password": "canary-7c3", "lease": "2s"}}}
      """
    let configuration = try ServerConfiguration.read(Array(text.utf8), file: folder.path + "/formd.json")
    guard case .postgreSQL(let a)? = configuration.actions.databases["a"],
      case .postgreSQL(let b)? = configuration.actions.databases["b"]
    else {
      Issue.record("no databases of PostgreSQL")
      return
    }
    #expect(a.url.text == "postgresql://formd@db/shop")
    #expect(try a.password?.read() == "canary-7c1")
    #expect(a.password?.file == folder.path + "/password")
    #expect(a.connections == 9 && a.isWritable)
    #expect(try b.password?.read() == "canary-7c2")
    #expect(b.connections == 4 && !b.isWritable)
    guard case .postgreSQL(let store)? = configuration.store else {
      Issue.record("no store in PostgreSQL")
      return
    }
    #expect(try store.password?.read() == "canary-7c3")
    var dumped = "\(configuration) \(String(reflecting: configuration))"
    dump(configuration, to: &dumped)
    #expect(dumped.contains("/run/postgresql"))
    #expect(!dumped.contains("canary"))
  }

  @Test(arguments: [
    ("postgresql:///kept", nil, Duration.seconds(15)),
    ("postgres://formd@db.example.com/kept?sslmode=verify-full", "1s", .seconds(1)),
    ("postgresql://a,b/kept?target_session_attrs=read-write", "10m", .seconds(600)),
  ])
  func `a store in PostgreSQL is read with its lease`(_ url: String, _ lease: String?, _ expected: Duration) throws {
    let lease = lease.map { #", "lease": "\#($0)""# } ?? ""
    let configuration = try Self.read(#"{"store": {"postgres": {"url": "\#(url)"\#(lease)}}}"#).get()
    guard case .postgreSQL(let store)? = configuration.store else {
      Issue.record("no store in PostgreSQL")
      return
    }
    #expect(store.url.text == url)
    #expect(store.password == nil)
    #expect(store.lease == expected)
  }

  @Test
  func `a store in SQLite is read with its durability`() throws {
    for (text, durability) in [("", StoreDurability.normal), (#", "durability": "full""#, .full)] {
      let configuration = try Self.read(#"{"store": {"sqlite": {"path": "kept.sqlite"\#(text)}}}"#).get()
      guard case .sqlite(let store)? = configuration.store else {
        Issue.record("no store in SQLite")
        return
      }
      #expect(store == SQLiteStoreConfiguration(path: "/etc/formd/kept.sqlite", durability: durability))
    }
  }

  private static let schemaFile: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("protocol/schema/config.schema.json")
  }()

  @Test
  func `protocol schema config schema json is what the daemon checks against (FORMD_REWRITE=1 rewrites it)`() throws {
    if ProcessInfo.processInfo.environment["FORMD_REWRITE"] == "1" {
      try Data(ConfigurationSchema.text.utf8).write(to: Self.schemaFile, options: .atomic)
    }
    #expect(try String(contentsOf: Self.schemaFile, encoding: .utf8) == ConfigurationSchema.text)
  }

  @Test
  func `all mistakes are told at once`() {
    guard case .failure(let error) = Self.read(#"{"a": 1, "b": 2, "log": 3}"#) else {
      Issue.record("accepted")
      return
    }
    #expect(error.problems.count == 3)
  }
}
