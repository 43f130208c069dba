import Glibc
import STCommandCore
import STContracts
import STPlatform

/// The Swift package that builds a project's extensions, and the bundle for `app install`.
///
/// The project's files are not changed. Each target is a folder with links to them, and with copies of the files that must be
/// adapted for Linux.
struct LabPackage {
    /// The app of the extensions.
    struct App: Sendable {
        private static let nameMax = 48

        let id: String
        let name: String
        let version: String

        /// Creates an app with values that are valid in a manifest. Missing values get a default.
        init(id: String, name: String, version: String) {
            let plain = id.map { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) ? $0 : "-" }
            self.id = id.isEmpty ? "app.\(name.asIdentifier)" : String(plain.prefix(100))
            self.name = String(name.prefix(Self.nameMax))
            self.version = version.isEmpty ? "1.0" : String(version.prefix(Self.nameMax))
        }
    }

    static let bundle = "App"
    static let scenario = "week.json"
    /// The maximum number of activities or events, which is the limit of activities on a phone.
    private static let namesMax = 20
    private static let nameBytesMax = 128
    private static let macroBytesMax = 1 << 20
    /// The name of the file that marks a folder as generated, so that it may be overwritten.
    private static let mark = ".screentime-lab"
    private static let markText = "`screentime app new` makes what is in this folder anew.\n"
    static let products: Set<String> = [
        "FamilyControls", "DeviceActivity", "ManagedSettings", "ManagedSettingsUI", "UIKit",
        "UserNotifications",
        "SwiftUI", "Charts", "WidgetKit", "Security", "SwiftData", "ExtensionKit", "ExtensionFoundation",
        "Combine", "os",
        "OSLog",
    ]

    let folder: String
    /// The folder of the package with the frameworks.
    let frameworks: String
    let environment: [String: String]
    /// The path of the compiler's plugin for macros. Empty if there is none.
    var plugin = ""

    /// Returns the person's cache folder, in which the lab compiles all packages.
    static func cache(_ environment: [String: String]) throws(Problem) -> String {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let cache = folder("XDG_CACHE_HOME") ?? folder("HOME").map({ "\($0)/.cache" }) else {
            throw Problem(
                "lab.no_home",
                "HOME is not set, so there is no folder to compile in. Set it, and try again."
            )
        }
        return "\(cache)/screentime-lab"
    }

    // MARK: - Writing

    func write(_ extensions: [LabExtension], _ modules: [LabModule], in project: ProjectFolder)
        throws(Problem)
    {
        try claim(for: project)
        let sources = "\(folder)/Sources"
        try DirectoryTree.remove(sources)
        for item in extensions {
            let place = "\(sources)/\(item.module)"
            try FileTree.makeFolder(place)
            try Self.link(item.sources, into: place, of: project)
            if let main = Self.main(of: item), !item.sources.contains(where: { $0.file == "main.swift" }) {
                try Self.write(main, to: "\(place)/main.swift")
            }
            try declare(item.macros, in: place)
            if let symbols = try AssetSymbols.source(of: item, in: project) {
                try Self.write(symbols, to: "\(place)/\(AssetSymbols.file)")
            }
        }
        for module in modules {
            try FileTree.makeFolder("\(sources)/\(module.name)")
            try Self.link(module.sources, into: "\(sources)/\(module.name)", of: project)
            try declare(module.macros, in: "\(sources)/\(module.name)")
            guard module.sources.isEmpty else { continue }
            if let standIn = module.stub {
                try write(standIn)
            } else {
                try Self.write(
                    "// \(module.name) is not here.\n",
                    to: "\(sources)/\(module.name)/Empty.swift"
                )
            }
        }
        try Self.write(manifest(extensions, modules), to: "\(folder)/Package.swift")
    }

    func write(_ standIn: StubModule) throws(Problem) {
        try Self.write(standIn.source, to: "\(folder)/Sources/\(standIn.module)/\(StubModule.file)")
    }

    /// The folder with the macros of a toolchain and their declarations.
    var macros: String { "\(frameworks)/Services/developer-kit/Frameworks/Macros" }

    /// Writes the declarations of macros to the module that uses them, because the plugin is only available there.
    private func declare(_ macros: Set<String>, in folder: String) throws(Problem) {
        for name in macros {
            try Self.write(
                String(decoding: try macro(name), as: UTF8.self),
                to: "\(folder)/Generated\(name).swift"
            )
        }
    }

    func macro(_ name: String) throws(Problem) -> [UInt8] {
        try AtomicFile.read("\(macros)/\(name).swift", limitBytes: Self.macroBytesMax)
    }

    /// Marks the folder as generated. It throws if the folder contains other files.
    private func claim(for project: ProjectFolder) throws(Problem) {
        try FileTree.makeFolder(folder)
        let names = try DirectoryTree.names(in: folder)
        guard names.contains(Self.mark) || names.allSatisfy({ $0.hasPrefix(".") }) else {
            throw Problem(
                "lab.not_empty",
                """
                \(folder, "folder") already contains other files, and Screen Time does not overwrite them. \
                Choose a new folder.
                """,
                key: "lab.not_empty.already-has-other",
                help: "screentime app new --from PROJECT --to FOLDER"
            )
        }
        try Self.write("\(Self.markText)\(project.root)\n", to: "\(folder)/\(Self.mark)")
    }

    /// Returns the project from which a package was generated.
    static func project(of folder: String) throws(Problem) -> ProjectFolder {
        let text = try? AtomicFile.read("\(folder)/\(mark)", limitBytes: 1 << 14)
        let lines = String(decoding: text ?? [], as: UTF8.self).split(separator: "\n")
        guard lines.count == 2 else {
            throw Problem(
                "lab.no_source",
                """
                \(folder, "folder") does not record which project it was built from. Name a folder that `app \
                new` created.
                """,
                help: "screentime app new --from PROJECT"
            )
        }
        return try ProjectFolder(String(lines[1]))
    }

    static func write(_ text: String, to path: String) throws(Problem) {
        try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644, durable: false)
    }

    private static func link(_ files: [String], into folder: String, of project: ProjectFolder)
        throws(Problem)
    {
        for file in files {
            let place = "\(folder)/\(file.file)"
            if let text = SourceScan.adapted(try project.bytes(file)) {
                // Compiler errors then refer to the project's own file.
                try write("#sourceLocation(file: \(quoted(file)), line: 1)\n\(text)", to: place)
            } else if symlink(file, place) != 0 {
                throw SystemError.last("symlink")
            }
        }
    }

    private static func main(of item: LabExtension) -> String? {
        guard let principal = item.principal,
            let module = LabExtension.ancestors.first(where: { $0.point == item.point })?.module
        else { return nil }
        return "import \(module)\n\nExtensionMain.run { \(principal)() }\n"
    }

    private func manifest(_ extensions: [LabExtension], _ modules: [LabModule]) -> String {
        let targets =
            modules.map { module in
                target(
                    "target",
                    name: module.name,
                    imports: module.imports,
                    settings: ["swiftLanguageMode(.\(module.languageMode))"] + flags(module.macros),
                    modules: module.uses
                )
            }
            + extensions.map { item in
                var settings = ["swiftLanguageMode(.\(item.languageMode))"]
                settings += item.enabled.map { "enableUpcomingFeature(\"\($0)\")" }
                settings += item.defines.map { "define(\(Self.quoted($0)))" }
                settings += flags(item.macros)
                if item.isMainActor { settings.append("defaultIsolation(MainActor.self)") }
                return target(
                    "executableTarget",
                    name: item.module,
                    imports: item.imports,
                    settings: settings,
                    modules: item.uses
                )
            }
        return """
            // swift-tools-version: 6.2
            // `screentime app new` creates this file again.
            import PackageDescription

            // A file that imports only Foundation has the app's own UserDefaults, too.
            let gaps = SwiftSetting.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "STFoundationGaps"])

            let package = Package(
                name: \(Self.quoted(folder.file)),
                dependencies: [.package(name: "screentime", path: \(Self.quoted(frameworks)))],
                targets: [
            \(targets.joined(separator: "\n"))
                ]
            )

            """
    }

    private func flags(_ macros: Set<String>) -> [String] {
        macros.isEmpty || plugin.isEmpty
            ? [] : ["unsafeFlags([\"-load-plugin-library\", \(Self.quoted(plugin))])"]
    }

    private func target(
        _ kind: String,
        name: String,
        imports: Set<String>,
        settings: [String],
        modules: [String]
    ) -> String {
        let products = imports.intersection(Self.products).union(["STFoundationGaps"]).sorted()
        let uses =
            products.map { ".product(name: \"\($0)\", package: \"screentime\")" }
            + modules.sorted().map { ".target(name: \(Self.quoted($0)))" }
        return """
                    .\(kind)(
                        name: \(Self.quoted(name)),
                        dependencies: [\(uses.joined(separator: ", "))],
                        swiftSettings: [gaps\(settings.map { ", .\($0)" }.joined())]
                    ),
            """
    }

    /// Returns the text as a Swift string literal.
    static func quoted(_ text: String) -> String {
        // Process scalars, as Swift does. A character may be a quotation mark with combining scalars.
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(Character(scalar).isNewline ? " " : scalar)
        }
        return quoted + "\""
    }

    // MARK: - Bundle

    /// Copies the built programs and their resources to the bundle. The bundle can then be installed.
    func assemble(_ app: App, _ extensions: [LabExtension], in project: ProjectFolder, programs: String)
        throws(Problem)
    {
        let bundle = "\(folder)/\(Self.bundle)"
        let new = bundle + ".new"
        try DirectoryTree.remove(new)
        try FileTree.makeFolder(new)
        for item in extensions {
            // Each extension has its own folder, because Foundation's `Bundle.main` is the folder of the program.
            let place = "\(new)/\(item.module)"
            try FileTree.makeFolder(place)
            try Self.copy("\(programs)/\(item.module)", to: "\(place)/\(item.module)")
            try Self.write(item.info.xml, to: "\(place)/Info.plist")
            for file in item.resources { try Self.add(file, to: place, in: project) }
        }
        try Self.write(Self.manifest(app, extensions) + "\n", to: "\(new)/manifest.json")
        try DirectoryTree.remove(bundle)
        try FileTree.rename(new, to: bundle)
    }

    /// Writes an initial scenario: a week in which each activity begins and ends, and each event reaches its threshold.
    func writeScenario(_ app: App, _ extensions: [LabExtension]) throws(Problem) {
        let path = "\(folder)/\(Self.scenario)"
        // Keep an existing scenario, because a person may have changed it.
        guard !FileTree.exists(path) else { return }
        func names(_ of: (LabExtension) -> Set<String>) -> [String] {
            Array(
                Set(extensions.flatMap(of)).filter { $0.utf8.count <= Self.nameBytesMax }.sorted().prefix(
                    Self.namesMax
                )
            )
        }
        // The system's default shield has two buttons.
        let look = extensions.first { $0.point == .shieldConfiguration }
        let week = Self.week(
            of: app,
            bundle: Self.bundle,
            hasMonitor: extensions.contains { $0.point == .monitor },
            activities: names(\.activities),
            events: names(\.events),
            defaults: Self.defaults(extensions),
            hasSecondaryButton: look?.hasSecondaryButton ?? true
        )
        try Self.write(JSONOutput.pretty(week) + "\n", to: path)
    }

    /// Returns a week in which each activity begins and ends, each event reaches its threshold, and buttons of shields are
    /// pressed.
    static func week(
        of app: App,
        bundle: String,
        hasMonitor: Bool,
        activities: [String],
        events: [String],
        defaults: JSONValue = [:],
        hasSecondaryButton: Bool = true
    ) -> JSONValue {
        // Without a monitor, no extension would receive the callbacks.
        let watched = (activities.isEmpty && hasMonitor ? ["daily"] : activities).map { name -> JSONValue in
            [
                "name": .string(name), "app": .string(app.id), "from": "09:00", "to": "21:00",
                "warning": "5m",
                "events": .array(
                    (events.isEmpty ? ["half-an-hour"] : events).enumerated().map {
                        ["name": .string($1), "after": .string("\(30 * ($0 + 1))m")]
                    }
                ),
            ]
        }
        let button: JSONValue = hasSecondaryButton ? "secondary" : "primary"
        let day: JSONValue = [
            ["at": "08:00", "use": "firefox", "for": "20m"], ["at": "10:00", "use": "firefox", "for": "2h"],
            ["at": "12:30", "use": "steam", "for": "30m"],
            ["at": "12:40", "press": "primary", "if_there": true],
            ["at": "15:00", "use": "firefox", "for": "1h"],
            ["at": "15:10", "press": button, "if_there": true],
            ["at": "21:30", "use": "steam", "for": "20m"],
        ]
        return [
            "name": .string("a week of \(app.name)"), "zone": .string(LocalZone.identifier()),
            "start": "2026-03-02 07:00", "apps": [["bundle": .string(bundle), "defaults": defaults]],
            "activities": .array(watched), "steps": [["days": 7, "steps": day]],
        ]
    }

    /// Returns defaults that the app may have stored in its group: each key that the code reads, with a value of its type.
    private static func defaults(_ extensions: [LabExtension]) -> JSONValue {
        let examples: [String: JSONValue] = [
            "integer": 30, "double": .number(0.5), "float": .number(0.5), "bool": true, "stringArray": [],
            "array": [], "dictionary": [:],
            "data": ["selection": ["firefox", "category:games"]],
        ]
        var values: [String: JSONValue] = [:]
        for (key, kind) in extensions.flatMap(\.reads) {
            // The value of a string is its key, so that a shield shows the source of its text.
            values[key] = kind == "string" ? .string(key) : examples[kind]
        }
        guard let group = extensions.flatMap(\.groups).min(), !values.isEmpty else { return [:] }
        return .object([group: .object(values)])
    }

    private static func manifest(_ app: App, _ extensions: [LabExtension]) -> String {
        let groups = extensions.reduce(into: Set<String>()) { $0.formUnion($1.groups) }.sorted()
        let common: [String: JSONValue] = ["protocol": 1, "entitlements": ["family-controls"]]
        let points = extensions.map { item in
            JSONValue.object(
                common.merging([
                    "point": .string(item.point.rawValue),
                    "executable": .string("\(item.module)/\(item.module)"),
                ]) { $1 }
            )
        }
        return JSONOutput.pretty(
            .object(
                common.merging([
                    "id": .string(app.id), "name": .string(app.name), "version": .string(app.version),
                    "groups": .array(groups.map { .string($0) }), "deviceModel": "iPhone",
                    "extensions": .array(points),
                ]) { $1 }
            )
        )
    }

    /// Copies a file. A link would not be safe, because the next build replaces the program while an extension may be running.
    private static func copy(_ file: String, to other: String) throws(Problem) {
        try AtomicFile.write(
            try AtomicFile.read(file, limitBytes: 1_073_741_824),
            to: other,
            mode: 0o755,
            durable: false
        )
    }

    /// Adds a resource. Tables of strings stay in the folders of their languages, and a string catalogue is converted to such
    /// tables.
    private static func add(_ file: String, to resources: String, in project: ProjectFolder) throws(Problem) {
        guard file.ending == "xcstrings" else {
            let language = file.folder.ending == "lproj" ? "/\(file.folder.file)" : ""
            return try project.copy(file, into: resources + language)
        }
        let name = String(file.file.dropLast(".xcstrings".count))
        for (language, table) in try StringCatalog.tables(try project.bytes(file), file) {
            let folder = "\(resources)/\(language).lproj"
            try FileTree.makeFolder(folder)
            try write(PropertyList.table(table.mapValues { .text($0) }).xml, to: "\(folder)/\(name).strings")
        }
    }
}

extension String {
    /// True for a language code, for example `de`, `pt-BR` or `zh-Hans`.
    fileprivate var isLanguage: Bool {
        (2...20).contains(utf8.count)
            && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }
}

/// Xcode's string catalogue, which contains all languages.
enum StringCatalog {
    /// Returns the text of each key by language. For plurals it is the variant `other`.
    static func tables(_ bytes: [UInt8], _ path: String) throws(Problem) -> [String: [String: String]] {
        let file: JSONValue
        do {
            file = try JSONValue(text: bytes)
        } catch {
            throw Problem(
                "lab.bad_file",
                "\(path, "path") is not a valid string catalogue: \(Problem(error).text, "message")",
                key: "lab.bad_file.is-no-catalogue"
            )
        }
        var tables: [String: [String: String]] = [:]
        guard case .object(let strings) = file["strings"] else { return tables }
        let source = file["sourceLanguage"]?.string.flatMap { $0.isLanguage ? $0 : nil } ?? "en"
        for (key, entry) in strings {
            // The text of a key without a translation is the key.
            tables[source, default: [:]][key] = key
            guard case .object(let languages) = entry["localizations"] else { continue }
            // The language is used as the name of a folder.
            for (language, value) in languages where language.isLanguage {
                let unit = value["stringUnit"] ?? value["variations"]?["plural"]?["other"]?["stringUnit"]
                if let text = unit?["value"]?.string { tables[language, default: [:]][key] = text }
            }
        }
        return tables
    }
}
