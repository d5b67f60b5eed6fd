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

/// Code that the compiler cannot prove to be memory-safe must say so (SE-0458).
let safe: [SwiftSetting] = [.strictMemorySafety()]

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
    .executable(name: "formd", targets: ["formd-alone"]),
    .executable(name: "formctl", targets: ["formctl-alone"]),
    .executable(name: "formd-web", targets: ["formd-web-alone"]),
    // All three in one file, which is installed under the three names: they share most of their code.
    .executable(name: "formd-programs", targets: ["formd-programs"]),
    // For programs that talk to the daemon (Client), or want the rules or the whole engine without it, and the modules
    // of their parameters.
    .library(name: "Budgets", targets: ["Budgets"]),
    .library(name: "CEL", targets: ["CEL"]),
    .library(name: "Client", targets: ["Client"]),
    .library(name: "DataLanguages", targets: ["DataLanguages"]),
    .library(name: "Formats", targets: ["Formats"]),
    .library(name: "Forms", targets: ["Forms"]),
    .library(name: "JSON", targets: ["JSON"]),
    .library(name: "JSONSchema", targets: ["JSONSchema"]),
    .library(name: "LanguageServer", targets: ["LanguageServer"]),
    .library(name: "Sessions", targets: ["Sessions"]),
    .library(name: "SourceTexts", targets: ["SourceTexts"]),
    .library(name: "TextValidation", targets: ["TextValidation"]),
    .library(name: "Times", targets: ["Times"]),
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
    .systemLibrary(name: "CCrypto", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
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
    .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

    // MARK: Texts: UTF-8 text: comparison by bytes, code points, the closest name
    .target(name: "Texts", swiftSettings: strict),
    .testTarget(name: "TextsTests", dependencies: ["Randomness", "Texts"], swiftSettings: strict),

    // MARK: Budgets: the work that a compilation or an evaluation may cost
    .target(name: "Budgets", swiftSettings: strict),
    .testTarget(name: "BudgetsTests", dependencies: ["Budgets", "Formats"], swiftSettings: strict),

    // MARK: Files: files, folders, and work on many of them at a time
    .target(name: "Files", swiftSettings: strict),
    .testTarget(name: "FilesTests", dependencies: ["Files", "JSON"], swiftSettings: strict),

    // MARK: JSON: values, pointers, patches; jansson reads, our own writer writes
    .target(name: "JSON", dependencies: ["CJansson", "Texts"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "Randomness"], swiftSettings: strict),

    // MARK: SourceTexts: texts that people write: positions, diagnostics, and a scanner that reads invalid texts, too
    .target(name: "SourceTexts", dependencies: ["JSON", "Texts"], swiftSettings: strict),
    .testTarget(name: "SourceTextsTests", dependencies: ["JSON", "Randomness", "SourceTexts"], swiftSettings: strict),

    // MARK: DataLanguages: YAML and environments as JSON's values, with their positions
    .target(name: "DataLanguages", dependencies: ["CYaml", "JSON", "SourceTexts"], swiftSettings: strict),
    .testTarget(
      name: "DataLanguagesTests",
      dependencies: ["DataLanguages", "JSON", "Randomness", "SourceTexts"],
      swiftSettings: strict
    ),

    // MARK: Times: timestamps, durations, zones, and the instants of a monotonic clock
    .target(name: "Times", dependencies: ["Files", "JSON", "Texts"], swiftSettings: strict),
    .testTarget(name: "TimesTests", dependencies: ["CEL", "Randomness", "Times"], swiftSettings: strict),

    // MARK: Formats: mail, hosts, URIs, dates and patterns, for both rule languages
    .target(name: "Formats", dependencies: ["Budgets", "CIDN2", "CPCRE2", "CUnistring"], swiftSettings: strict),
    .testTarget(name: "FormatsTests", dependencies: ["Budgets", "Formats", "Randomness"], swiftSettings: strict),

    // MARK: LocaleFormats: numbers, amounts and dates as people of a language write them
    .target(name: "LocaleFormats", swiftSettings: strict),
    .testTarget(name: "LocaleFormatsTests", dependencies: ["LocaleFormats"], swiftSettings: strict),

    // MARK: ErrorTexts: the built-in texts of errors in the languages of people
    .target(name: "ErrorTexts", dependencies: ["Texts"], swiftSettings: strict),
    .testTarget(name: "ErrorTextsTests", dependencies: ["ErrorTexts"], swiftSettings: strict),

    // MARK: JSONSchema
    .target(
      name: "JSONSchema",
      dependencies: ["Budgets", "ErrorTexts", "Files", "Formats", "JSON", "Texts"],
      // The meta-schemas of the standard.
      resources: metaSchemas.map { .embedInCode("Resources/draft-\($0).json") },
      swiftSettings: strict
    ),
    .testTarget(
      name: "JSONSchemaTests",
      dependencies: ["Budgets", "ErrorTexts", "Formats", "JSON", "JSONSchema", "Randomness", "Texts"],
      swiftSettings: strict
    ),

    // MARK: CEL
    .target(name: "CEL", dependencies: ["Budgets", "Formats", "JSON", "Texts", "Times"], swiftSettings: strict),
    .testTarget(
      name: "CELTests",
      dependencies: ["Budgets", "CEL", "Formats", "JSON", "PageCode", "Randomness", "Times"],
      swiftSettings: strict
    ),

    // MARK: Findings: files are found and read, what is found in them is told in the formats of people and services
    .target(
      name: "Findings",
      dependencies: ["DataLanguages", "Files", "Formats", "JSON", "SourceTexts", "Texts"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FindingsTests",
      dependencies: ["DataLanguages", "Findings", "JSON", "SourceTexts"],
      swiftSettings: strict
    ),

    // MARK: DocumentProperties: the members of the document whose names formd defines, each stated once
    .target(name: "DocumentProperties", swiftSettings: strict),

    // MARK: Forms: a definition becomes a graph of nodes
    .target(
      name: "Forms",
      dependencies: [
        "Budgets", "CEL", "DataLanguages", "DocumentProperties", "ErrorTexts", "Formats", "JSON", "JSONSchema",
        "LocaleFormats", "SourceTexts", "Texts",
      ],
      swiftSettings: strict + safe
    ),
    .testTarget(
      name: "FormsTests",
      dependencies: [
        "Budgets", "CEL", "DocumentProperties", "Forms", "JSON", "JSONSchema", "PageCode", "Randomness", "SourceTexts",
      ],
      swiftSettings: strict
    ),

    // MARK: Sessions: the engine
    .target(
      name: "Sessions",
      dependencies: [
        "Budgets", "CEL", "DocumentProperties", "Formats", "Forms", "JSON", "JSONSchema", "LocaleFormats", "Texts",
        "Times",
      ],
      swiftSettings: strict + safe
    ),
    .testTarget(
      name: "SessionsTests",
      dependencies: [
        "CEL", "DocumentProperties", "Forms", "JSON", "PageCode", "Randomness", "Sessions", "SourceTexts", "Times",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Budgets", "CEL", "FormProtocol", "Formats", "Forms", "JSON", "Randomness", "SessionCalls", "Sessions", "Times",
      ],
      swiftSettings: strict
    ),

    // MARK: TextValidation: a form's errors in a text, with their positions
    .target(
      name: "TextValidation",
      dependencies: ["Budgets", "CEL", "DataLanguages", "Forms", "JSON", "Sessions", "SourceTexts", "Texts", "Times"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TextValidationTests",
      dependencies: ["DataLanguages", "Forms", "JSON", "SourceTexts", "TextValidation"],
      swiftSettings: strict
    ),

    // MARK: JSONRPC: framing and envelopes
    .target(name: "JSONRPC", dependencies: ["JSON", "Texts"], swiftSettings: strict),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSON", "JSONRPC"], swiftSettings: strict),

    // MARK: FormProtocol: the methods
    .target(
      name: "FormProtocol",
      dependencies: ["DocumentProperties", "Files", "JSON", "JSONRPC", "SourceTexts", "Texts"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FormProtocolTests",
      dependencies: ["FormProtocol", "JSON", "JSONRPC", "JSONSchema"],
      swiftSettings: strict
    ),

    // MARK: SessionCalls: params become inputs, turns become messages
    .target(
      name: "SessionCalls",
      dependencies: [
        "DataLanguages", "FormProtocol", "Forms", "JSON", "JSONRPC", "JSONSchema", "Sessions", "SourceTexts",
        "TextValidation", "Texts",
      ],
      swiftSettings: strict
    ),

    // MARK: FormCases: runs the cases of test files in virtual time
    .target(
      name: "FormCases",
      dependencies: [
        "Budgets", "CEL", "Client", "DataLanguages", "DocumentProperties", "Files", "FormProtocol", "Formats", "Forms",
        "JSON", "JSONRPC", "SessionCalls", "Sessions", "SourceTexts", "Texts", "Times",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FormCasesTests",
      dependencies: ["FormCases", "FormProtocol", "Forms", "JSON", "JSONSchema", "SourceTexts"],
      swiftSettings: strict
    ),

    // MARK: FormStudio: a form beside an editor, on a page: what `formctl studio` shows
    .target(
      name: "FormStudio",
      dependencies: [
        "DataLanguages", "Files", "FormCases", "FormProtocol", "Forms", "JSON", "JSONRPC", "SessionCalls", "Sessions",
        "SourceTexts",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FormStudioTests",
      dependencies: ["Files", "FormStudio", "JSON"],
      swiftSettings: strict
    ),

    // MARK: LanguageServer: what editors are told while forms, tests and data are written
    .target(
      name: "LanguageServer",
      dependencies: [
        "CEL", "DataLanguages", "Files", "FormCases", "FormProtocol", "Formats", "Forms", "JSON", "JSONRPC",
        "JSONSchema", "SessionCalls", "SourceTexts", "TextValidation", "Texts", "Times",
      ],
      // The schemas say what definitions and configurations may contain; their one copy is in protocol/schema.
      resources: [.embedInCode("Resources/config.schema.json")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "LanguageServerTests",
      dependencies: ["FormCases", "FormProtocol", "Forms", "JSON", "LanguageServer", "Randomness", "SourceTexts"],
      exclude: ["Conversations"],
      swiftSettings: strict
    ),

    // MARK: FormImport: forms made of schemas, surveys and pages that exist already
    .target(
      name: "FormImport",
      dependencies: ["CXML2", "DataLanguages", "Formats", "Forms", "JSON", "SourceTexts", "Texts"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FormImportTests",
      dependencies: ["FormImport", "Forms", "JSON", "Randomness", "SourceTexts"],
      exclude: ["Inputs"],
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
    .target(name: "PostgreSQL", dependencies: ["CCrypto", "CPostgres", "Files", "JSON"], swiftSettings: strict),

    // MARK: SQLite: files of SQLite, by its C interface
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .testTarget(name: "SQLiteTests", dependencies: ["CSQLite", "SQLite"], swiftSettings: strict),

    // MARK: Actions: performs effects
    .target(
      name: "Actions",
      dependencies: [
        "CCrypto", "CEL", "CSQLite", "Files", "Formats", "Forms", "HTTP", "JSON", "PostgreSQL", "SQLite", "Sessions",
        "Texts", "Times",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ActionsTests",
      dependencies: [
        "Actions", "CSQLite", "JSON", "PostgreSQL", "PostgresTesting", "SQLite", "Sessions", "Times",
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
        "CSQLite", "Files", "JSON", "PostgreSQL", "SQLite", "Texts",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "SessionStoreTests",
      dependencies: ["PostgreSQL", "PostgresTesting", "SQLite", "SessionStore"],
      swiftSettings: strict
    ),

    // MARK: Configuration: the keys of formd.json, and the limits
    .target(
      name: "Configuration",
      dependencies: [
        "Actions", "CEL", "Files", "FormProtocol", "Forms", "HTTP", "JSON", "JSONRPC", "JSONSchema", "PostgreSQL",
        "SessionStore", "SourceTexts", "Texts", "Times",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ConfigurationTests",
      dependencies: [
        "Actions", "CEL", "Configuration", "FormProtocol", "JSON", "PostgreSQL", "Server", "SessionStore", "Times",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),

    // MARK: Server: connections, sessions, scheduling, accounts, delivery; Daemon joins it to sockets and clocks
    .target(
      name: "Server",
      dependencies: [
        "Actions", "CCrypto", "CEL", "Configuration", "DataLanguages", "DocumentProperties", "Files", "FormProtocol",
        "Forms", "JSON", "JSONRPC", "JSONSchema", "SessionCalls", "SessionStore", "Sessions", "SourceTexts",
        "TextValidation", "Texts", "Times",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Actions", "CEL", "Configuration", "Daemon", "FormProtocol", "Forms", "JSON", "JSONRPC", "Randomness", "SQLite",
        "Server", "SessionStore", "Sessions", "SourceTexts", "Times",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),

    // MARK: Processes: what a long-running program needs of the system: its log, signals, service manager
    .target(
      name: "Processes",
      dependencies: [
        "CMalloc", "CPrctl", "Files", "JSON", "Texts", "Times",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ProcessesTests",
      dependencies: [
        "Files", "JSON", "Processes", "Times",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),

    // MARK: Daemon: sockets, metrics, the life of the process
    .target(
      name: "Daemon",
      dependencies: [
        "Actions", "Budgets", "CEL", "Configuration", "Files", "FormProtocol", "JSON", "Processes", "Server",
        "SessionStore", "Sessions", "SourceTexts", "Texts", "Times",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "Actions", "Configuration", "Daemon", "Files", "FormProtocol", "JSON", "PostgreSQL", "Processes", "Server",
        "Sessions", "Times",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),

    // MARK: formd: the daemon
    .target(
      name: "formd",
      dependencies: [
        "Actions", "Configuration", "Daemon", "Files", "FormProtocol", "JSON", "Processes", "Server", "SourceTexts",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),

    // MARK: WebDoor and formd-web: the door for browsers
    .target(
      name: "WebDoor",
      dependencies: [
        "CCrypto", "Configuration", "Files", "FormProtocol", "JSON", "JSONRPC", "Processes", "Texts", "Times",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "WebDoorTests",
      dependencies: [
        "Configuration", "FormProtocol", "JSON", "JSONRPC", "Times", "WebDoor",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "formd-web",
      dependencies: [
        "Configuration", "Files", "FormProtocol", "Forms", "Processes", "Server", "SourceTexts", "Texts", "WebDoor",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),

    // MARK: Client and formctl: the command line
    .target(
      name: "Client",
      dependencies: ["DocumentProperties", "Files", "FormProtocol", "JSON", "JSONRPC", "SourceTexts"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ClientTests",
      dependencies: [
        "Client", "ClientKit", "FormProtocol", "JSON", "JSONRPC",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    // MARK: ClientKit: a scripted daemon that tests clients of any language
    .target(name: "ClientKit", dependencies: ["DocumentProperties", "Files", "JSON"], swiftSettings: strict),

    // MARK: TerminalForms: a form asked field by field on a terminal
    .target(
      name: "TerminalForms",
      dependencies: ["CUnistring", "Client", "Texts"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TerminalFormsTests",
      dependencies: ["Client", "ErrorTexts", "TerminalForms", "Texts"],
      swiftSettings: strict
    ),

    .target(
      name: "formctl",
      dependencies: [
        "Budgets", "CEL", "Client", "ClientKit", "Configuration", "DataLanguages", "Files", "Findings", "FormCases",
        "FormImport", "FormProtocol", "FormStudio", "Formats", "Forms", "JSON", "JSONRPC", "JSONSchema",
        "LanguageServer", "Processes", "SessionCalls", "SourceTexts", "TerminalForms", "TextValidation", "Texts",
        "Times", "WebDoor",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FormctlTests",
      dependencies: ["Client", "FormProtocol", "JSON", "JSONRPC", "LanguageServer", "formctl"],
      swiftSettings: strict
    ),

    // MARK: The programs: each alone, and all in one file
    .executableTarget(
      name: "formd-alone",
      dependencies: ["formd"],
      path: "Sources/Programs/formd",
      swiftSettings: strict,
      linkerSettings: hardened
    ),
    .executableTarget(
      name: "formctl-alone",
      dependencies: ["formctl"],
      path: "Sources/Programs/formctl",
      swiftSettings: strict,
      linkerSettings: hardened
    ),
    .executableTarget(
      name: "formd-web-alone",
      dependencies: ["formd-web"],
      path: "Sources/Programs/formd-web",
      swiftSettings: strict,
      linkerSettings: hardened
    ),
    .executableTarget(
      name: "formd-programs",
      dependencies: ["formctl", "formd", "formd-web"],
      path: "Sources/Programs/formd-programs",
      swiftSettings: strict,
      linkerSettings: hardened
    ),

    // MARK: PageCode: the code, the tables and the generated parts of a page, for the tests that compare them
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
      dependencies: ["CEL", "Formats", "Forms", "JSON", "JSONRPC", "JSONSchema", "Sessions", "SourceTexts", "Times"],
      path: "Tests/Conformance",
      swiftSettings: strict
    ),
  ]
)
