// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every target: Swift 6 mode, warnings are errors, imports are internal unless they say
/// otherwise.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Programs resolve all symbols when they start, so that an attacker cannot replace a function later (full RELRO).
let hardened: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])
]

/// The documents of which the drafts' meta-schemas consist, by draft and name.
let metaSchemas = [
  "04.schema", "06.schema", "07.schema", "2019-09.applicator", "2019-09.content", "2019-09.core", "2019-09.format",
  "2019-09.meta-data", "2019-09.schema", "2019-09.validation", "2020-12.applicator", "2020-12.content", "2020-12.core",
  "2020-12.format-annotation", "2020-12.format-assertion", "2020-12.meta-data", "2020-12.schema",
  "2020-12.unevaluated", "2020-12.validation",
]

let package = Package(
  name: "formd",
  products: [
    .executable(name: "formd", targets: ["formd"]),
    .executable(name: "formctl", targets: ["formctl"]),
    // For programs that talk to the daemon (Client), or want the rules or the whole engine without it.
    .library(name: "CEL", targets: ["CEL"]),
    .library(name: "Client", targets: ["Client"]),
    .library(name: "DataTexts", targets: ["DataTexts"]),
    .library(name: "Forms", targets: ["Forms"]),
    .library(name: "JSON", targets: ["JSON"]),
    .library(name: "JSONSchema", targets: ["JSONSchema"]),
    .library(name: "LanguageServer", targets: ["LanguageServer"]),
    .library(name: "Sessions", targets: ["Sessions"]),
    .library(name: "TextFormats", targets: ["TextFormats"]),
    .library(name: "TextValidation", targets: ["TextValidation"]),
  ],
  // Ranges, so that a package which depends on this one can agree with others; the lower end is what was tested.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // MARK: System libraries
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CPrctl"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // It has no pkg-config file.
    .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

    // MARK: Texts: code points, byte keys, base64, the closest name
    .target(name: "Texts", swiftSettings: strict),
    .testTarget(name: "TextsTests", dependencies: ["Randomness", "Texts"], swiftSettings: strict),

    // MARK: JSON: values, pointers, patches, faults with their places in a text; jansson reads, our own writer writes
    .target(name: "JSON", dependencies: ["CJansson", "Texts"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "Randomness"], swiftSettings: strict),

    // MARK: DataTexts: YAML and environments as JSON's values, with where they stand
    .target(name: "DataTexts", dependencies: ["CYaml", "JSON"], swiftSettings: strict),
    .testTarget(name: "DataTextsTests", dependencies: ["DataTexts", "JSON", "Randomness"], swiftSettings: strict),

    // MARK: TextFormats: what both rule languages know about texts, and the budget that both spend from
    .target(name: "TextFormats", dependencies: ["CIDN2", "CPCRE2", "CUnistring"], swiftSettings: strict),
    .testTarget(name: "TextFormatsTests", dependencies: ["Randomness", "TextFormats"], swiftSettings: strict),

    // MARK: JSONSchema
    .target(
      name: "JSONSchema",
      dependencies: ["JSON", "TextFormats", "Texts"],
      // The meta-schemas of the standard.
      resources: metaSchemas.map { .embedInCode("Resources/draft-\($0).json") },
      swiftSettings: strict
    ),
    .testTarget(
      name: "JSONSchemaTests",
      dependencies: ["JSON", "JSONSchema", "Randomness", "TextFormats"],
      swiftSettings: strict
    ),

    // MARK: CEL
    .target(name: "CEL", dependencies: ["JSON", "TextFormats", "Texts"], swiftSettings: strict),
    .testTarget(name: "CELTests", dependencies: ["CEL", "JSON", "Randomness", "TextFormats"], swiftSettings: strict),

    // MARK: Findings: files are found and read, what is found in them is told in the formats of people and services
    .target(name: "Findings", dependencies: ["DataTexts", "JSON", "TextFormats", "Texts"], swiftSettings: strict),
    .testTarget(name: "FindingsTests", dependencies: ["DataTexts", "Findings", "JSON"], swiftSettings: strict),

    // MARK: Forms: a definition becomes a graph of cells
    .target(name: "Forms", dependencies: ["CEL", "JSON", "JSONSchema", "TextFormats", "Texts"], swiftSettings: strict),
    .testTarget(
      name: "FormsTests",
      dependencies: ["CEL", "Forms", "JSON", "JSONSchema", "PageCode", "Randomness"],
      swiftSettings: strict
    ),

    // MARK: Sessions: the engine
    .target(
      name: "Sessions",
      dependencies: ["CEL", "Forms", "JSON", "JSONSchema", "TextFormats", "Texts"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "SessionsTests",
      dependencies: ["CEL", "Forms", "JSON", "PageCode", "Sessions"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["CEL", "Forms", "JSON", "Randomness", "Sessions", "TextFormats"],
      swiftSettings: strict
    ),

    // MARK: TextValidation: what a form says of a text, and where
    .target(
      name: "TextValidation",
      dependencies: ["CEL", "DataTexts", "Forms", "JSON", "Sessions", "Texts"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TextValidationTests",
      dependencies: ["DataTexts", "Forms", "JSON", "TextValidation"],
      swiftSettings: strict
    ),

    // MARK: JSONRPC: framing and envelopes
    .target(name: "JSONRPC", dependencies: ["JSON", "Texts"], swiftSettings: strict),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSON", "JSONRPC"], swiftSettings: strict),

    // MARK: FormProtocol: the methods
    .target(name: "FormProtocol", dependencies: ["JSON", "JSONRPC", "Texts"], swiftSettings: strict),
    .testTarget(
      name: "FormProtocolTests",
      dependencies: ["FormProtocol", "JSON", "JSONRPC", "JSONSchema"],
      swiftSettings: strict
    ),

    // MARK: SessionMessages: params become inputs, turns become messages
    .target(
      name: "SessionMessages",
      dependencies: [
        "DataTexts", "FormProtocol", "Forms", "JSON", "JSONRPC", "Sessions", "TextValidation", "Texts",
      ],
      swiftSettings: strict
    ),

    // MARK: FormCases: runs the cases of test files in virtual time
    .target(
      name: "FormCases",
      dependencies: [
        "CEL", "Client", "FormProtocol", "Forms", "JSON", "JSONRPC", "SessionMessages", "Sessions", "TextFormats",
        "Texts",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FormCasesTests",
      dependencies: ["FormCases", "FormProtocol", "Forms", "JSON", "JSONSchema"],
      swiftSettings: strict
    ),

    // MARK: LanguageServer: what editors are told while forms, tests and data are written
    .target(
      name: "LanguageServer",
      dependencies: [
        "CEL", "DataTexts", "FormCases", "FormProtocol", "Forms", "JSON", "JSONRPC", "JSONSchema",
        "SessionMessages", "TextFormats", "TextValidation", "Texts",
      ],
      // The schema of definitions says what definitions may contain; its one copy is in protocol/schema.
      resources: [.embedInCode("Resources/form.schema.json")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "LanguageServerTests",
      dependencies: ["FormCases", "FormProtocol", "Forms", "JSON", "JSONRPC", "LanguageServer", "Randomness"],
      exclude: ["Conversations"],
      swiftSettings: strict
    ),

    // MARK: HTTP: requests to servers, by libcurl
    .target(
      name: "HTTP",
      dependencies: [
        "CCurl",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "HTTPTests",
      dependencies: [
        "HTTP",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),

    // MARK: PostgreSQL: connections to servers, by libpq
    .target(name: "PostgreSQL", dependencies: ["CPostgres", "JSON"], swiftSettings: strict),

    // MARK: SQLite: files of SQLite, by its C interface
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .testTarget(name: "SQLiteTests", dependencies: ["CSQLite", "SQLite"], swiftSettings: strict),

    // MARK: Actions: performs effects
    .target(
      name: "Actions",
      dependencies: [
        "CCrypto", "CEL", "CSQLite", "Forms", "HTTP", "JSON", "PostgreSQL", "SQLite", "Sessions", "TextFormats",
        "Texts",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ActionsTests",
      dependencies: [
        "Actions", "CSQLite", "JSON", "PostgreSQL", "PostgresTesting", "SQLite", "Sessions",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),

    // MARK: SessionStore: kept sessions in a SQLite file, or in a database that several daemons share
    .target(
      name: "SessionStore",
      dependencies: [
        "CSQLite", "JSON", "PostgreSQL", "SQLite", "Texts",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "SessionStoreTests",
      dependencies: ["PostgreSQL", "PostgresTesting", "SQLite", "SessionStore"],
      swiftSettings: strict
    ),

    // MARK: Server: sockets, connections, timers, lifecycle
    .target(
      name: "Server",
      dependencies: [
        "Actions", "CCrypto", "CEL", "CMalloc", "CPrctl", "DataTexts", "FormProtocol", "Forms", "HTTP", "JSON",
        "JSONRPC", "JSONSchema", "PostgreSQL", "SessionMessages", "SessionStore", "Sessions", "TextValidation", "Texts",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Actions", "CEL", "FormProtocol", "Forms", "JSON", "PostgreSQL", "Randomness", "SQLite", "Server",
        "SessionStore", "Sessions",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),

    // MARK: formd: the daemon
    .executableTarget(
      name: "formd",
      dependencies: [
        "Actions", "FormProtocol", "Server",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict,
      linkerSettings: hardened
    ),

    // MARK: Client and formctl: the command line
    .target(name: "Client", dependencies: ["FormProtocol", "JSON", "JSONRPC"], swiftSettings: strict),
    .testTarget(
      name: "ClientTests",
      dependencies: [
        "Client", "FormProtocol", "JSON", "JSONRPC",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    // MARK: TerminalForms: a form asked field by field on a terminal
    .target(
      name: "TerminalForms",
      dependencies: ["CUnistring", "Client", "FormProtocol", "JSON"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TerminalFormsTests",
      dependencies: ["Client", "FormProtocol", "JSON", "TerminalForms"],
      swiftSettings: strict
    ),

    .executableTarget(
      name: "formctl",
      dependencies: [
        "CEL", "Client", "DataTexts", "Findings", "FormCases", "FormProtocol", "Forms", "JSON", "JSONRPC",
        "JSONSchema", "LanguageServer", "SessionMessages", "TerminalForms", "TextFormats", "TextValidation",
        "Texts",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict,
      linkerSettings: hardened
    ),
    .testTarget(
      name: "FormctlTests",
      dependencies: ["Client", "FormProtocol", "Forms", "JSON", "JSONRPC", "LanguageServer", "formctl"],
      swiftSettings: strict
    ),

    // MARK: PageCode: the code of a page, beside the code of the test that runs it
    .target(name: "PageCode", path: "Tests/PageCode", swiftSettings: strict),

    // MARK: PostgresTesting: a server of PostgreSQL for the tests
    .target(
      name: "PostgresTesting",
      dependencies: ["PostgreSQL"],
      path: "Tests/PostgresTesting",
      swiftSettings: strict
    ),

    // MARK: Randomness: numbers by chance that a seed repeats, for the tests
    .target(name: "Randomness", path: "Tests/Randomness", swiftSettings: strict),

    // MARK: conformance: judges the public test vectors, read at run time (scripts/conformance)
    .executableTarget(
      name: "conformance",
      dependencies: ["CEL", "Forms", "JSON", "JSONRPC", "JSONSchema", "Sessions", "TextFormats"],
      path: "Tests/Conformance",
      swiftSettings: strict
    ),
  ]
)
