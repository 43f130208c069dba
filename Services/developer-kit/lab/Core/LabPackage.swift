import Glibc
import STCommandCore
import STContracts
import STPlatform

/// The Swift package that builds a project's extensions, and the bundle that `app install` takes.
///
/// The project's own files are not changed: each target is a folder of links to them, and of copies where Linux needs another word.
struct LabPackage {
    /// The app that the extensions belong to.
    struct App: Sendable {
        private static let nameMax = 48

        let id: String
        let name: String
        let version: String

        /// As a manifest takes them; what is missing gets a value.
        init(id: String, name: String, version: String) {
            let plain = id.map { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) ? $0 : "-" }
            self.id = id.isEmpty ? "app.\(name.asIdentifier)" : String(plain.prefix(100))
            self.name = String(name.prefix(Self.nameMax))
            self.version = version.isEmpty ? "1.0" : String(version.prefix(Self.nameMax))
        }
    }

    static let bundle = "App"
    static let scenario = "week.json"
    /// As many as a phone watches at once.
    private static let namesMax = 20
    private static let nameBytesMax = 128
    private static let macroBytesMax = 1 << 20
    /// Says that the folder may be made anew.
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
    /// The compiler's plugin for macros; empty where there is none.
    var plugin = ""

    /// The folder of a person in which all packages of the lab are compiled.
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
            if let standIn = module.standIn {
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

    func write(_ standIn: StandIn) throws(Problem) {
        try Self.write(standIn.source, to: "\(folder)/Sources/\(standIn.module)/\(StandIn.file)")
    }

    /// Where the macros of a toolchain and their declarations are.
    var macros: String { "\(frameworks)/Services/developer-kit/Frameworks/Macros" }

    /// In the module that uses them, because the plugin is there alone.
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

    /// Refuses a folder with other things in it.
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

    /// The project that a package was made of.
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
                // What the compiler says, it says of the project's own file.
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
                    module.name,
                    module.imports,
                    ["swiftLanguageMode(.\(module.languageMode))"] + flags(module.macros),
                    module.uses
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
                    item.module,
                    item.imports,
                    settings,
                    item.uses
                )
            }
        return """
            // swift-tools-version: 6.2
            // `screentime app new` makes this file anew.
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
        _ name: String,
        _ imports: Set<String>,
        _ settings: [String],
        _ modules: [String]
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

    /// A text of Swift's.
    static func quoted(_ text: String) -> String {
        // By scalars, as Swift reads it: a character may be a quote with others before it.
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(Character(scalar).isNewline ? " " : scalar)
        }
        return quoted + "\""
    }

    // MARK: - The bundle

    /// Puts the programs that were built and their resources into the bundle, which is ready to be installed then.
    func assemble(_ app: App, _ extensions: [LabExtension], in project: ProjectFolder, programs: String)
        throws(Problem)
    {
        let bundle = "\(folder)/\(Self.bundle)"
        let new = bundle + ".new"
        try DirectoryTree.remove(new)
        try FileTree.makeFolder(new)
        for item in extensions {
            // A folder of its own, because Foundation's `Bundle.main` is the folder of the program.
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

    /// A scenario to begin with: a week in which each activity begins and ends, and each event is reached.
    func writeScenario(_ app: App, _ extensions: [LabExtension]) throws(Problem) {
        let path = "\(folder)/\(Self.scenario)"
        // A person's own, once it is there.
        guard !FileTree.exists(path) else { return }
        func names(_ of: (LabExtension) -> Set<String>) -> [String] {
            Array(
                Set(extensions.flatMap(of)).filter { $0.utf8.count <= Self.nameBytesMax }.sorted().prefix(
                    Self.namesMax
                )
            )
        }
        // The system's own look has two.
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

    /// A week in which each activity begins and ends, each event is reached, and buttons of shields are pressed.
    static func week(
        of app: App,
        bundle: String,
        hasMonitor: Bool,
        activities: [String],
        events: [String],
        defaults: JSONValue = [:],
        hasSecondaryButton: Bool = true
    ) -> JSONValue {
        // Without a monitor nothing would hear of it.
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

    /// What the app may have left in its group: the keys that the code reads, each with a value of its kind.
    private static func defaults(_ extensions: [LabExtension]) -> JSONValue {
        let examples: [String: JSONValue] = [
            "integer": 30, "double": .number(0.5), "float": .number(0.5), "bool": true, "stringArray": [],
            "array": [], "dictionary": [:],
            "data": ["selection": ["firefox", "category:games"]],
        ]
        var values: [String: JSONValue] = [:]
        for (key, kind) in extensions.flatMap(\.reads) {
            // A text stands for itself, so that a shield shows where it comes from.
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

    /// A copy, because the next build replaces the program while an extension may run.
    private static func copy(_ file: String, to other: String) throws(Problem) {
        try AtomicFile.write(
            try AtomicFile.read(file, limitBytes: 1_073_741_824),
            to: other,
            mode: 0o755,
            durable: false
        )
    }

    /// Tables of strings stay in the folders of their languages; a catalogue becomes such tables.
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
    /// `de`, `pt-BR`, `zh-Hans`.
    fileprivate var isLanguage: Bool {
        (2...20).contains(utf8.count)
            && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }
}

/// Xcode's catalogue of strings in all languages.
enum StringCatalog {
    /// By language: the text of each key. Plurals give their `other`.
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
            // A key without a translation is its own text.
            tables[source, default: [:]][key] = key
            guard case .object(let languages) = entry["localizations"] else { continue }
            // It becomes the name of a folder.
            for (language, value) in languages where language.isLanguage {
                let unit = value["stringUnit"] ?? value["variations"]?["plural"]?["other"]?["stringUnit"]
                if let text = unit?["value"]?.string { tables[language, default: [:]][key] = text }
            }
        }
        return tables
    }
}
