package import STContracts
package import STDomain
import STPlatform

/// The installed apps, indexed by their names, window classes and programs.
///
/// System programs take precedence in every lookup. An entry in the home folder never takes their names.
package struct AppCatalogue: Sendable {
    package static let appsMax = 3_000

    /// Apps in the order of their folders: system folders first, the home folder last.
    package let apps: [AppEntry]
    /// A hash of the apps. It changes if an app is installed, removed or renamed.
    package let version: Int64
    /// The number of files that are not desktop entries or cannot be read.
    package let unreadableCount: Int
    let system: AppIndex
    let own: AppIndex
    private let games: [String: Int32]
    /// The installed programs that apps start, keyed by file size.
    private let files: [Int64: [(path: String, app: Int32)]]

    /// Creates an empty catalogue.
    package init() { self.init([]) }

    package init(_ all: [AppEntry], broken: Int = 0) {
        var seen: Set<String> = []
        var apps: [AppEntry] = []
        for app in all where apps.count < Self.appsMax && seen.insert(AppIndex.key(app.id)).inserted {
            apps.append(app)
        }
        self.apps = apps
        self.unreadableCount = broken
        system = AppIndex(apps) { !$0.isOwn }
        own = AppIndex(apps) { $0.isOwn }
        var games: [String: Int32] = [:]
        for (place, app) in apps.enumerated() {
            if let game = app.start?.steamGame, games[game] == nil { games[game] = Int32(clamping: place) }
        }
        self.games = games
        var files: [Int64: [(path: String, app: Int32)]] = [:]
        for (place, app) in apps.enumerated() where !app.isOwn && app.start?.isWebApp == false {
            for file in app.start?.files ?? [] {
                files[file.bytes, default: []].append((file.path, Int32(clamping: place)))
            }
        }
        self.files = files
        version = Self.version(of: apps)
    }

    /// Returns the apps that a person can choose, sorted by their names in this language.
    package func choices(_ categories: CategoryMap, language: String?) -> [CatalogueApp] {
        let rows = apps.filter(\.isShown).map { app in
            let name = app.name(in: language)
            return CatalogueApp(
                app: app.id,
                name: name,
                icon: app.icon,
                category: (categories.find(app: app.id)?.category ?? app.category ?? .other).rawValue,
                origin: app.origin,
                names: Self.others([app.name] + app.names.values.sorted(), than: [name]),
                programs: Self.others(app.programs, than: [app.id]),
                kinds: Self.others(app.kinds, than: [])
            )
        }
        return rows.map { (row: $0, key: $0.name.lowercased()) }
            .sorted { ($0.key, $0.row.app) < ($1.key, $1.row.app) }.map(\.row)
    }

    /// Returns the texts that are not in `known`, without duplicates, or `nil` if there are none.
    private static func others(_ texts: [String], than known: Set<String>) -> [String]? {
        var seen = known
        let others = texts.filter { seen.insert($0).inserted }
        return others.isEmpty ? nil : others
    }

    /// Reads the installed apps from the folders of `AppEntryFolders`.
    ///
    /// Takes some tens of milliseconds, so it must not run on an event loop.
    package static func read(
        _ folders: [String],
        languages: [String],
        environment: [String: String]
    ) -> AppCatalogue {
        let reader = AppEntryReader(folders, languages: languages)
        let origins = folders.map { AppEntryFolders.origin(of: $0, environment: environment) }
        let isOwn = folders.map { AppEntryFolders.isOwn($0, environment: environment) }
        let programs = ProgramFinder(environment: environment)
        var apps: [AppEntry] = []
        var seen: Set<String> = []
        for (entry, place) in zip(
            reader.withPictures(folders, environment: environment),
            reader.folderIndexes
        )
        // A deleted entry in one folder also hides the entries with its name in later folders.
        where seen.insert(AppIndex.key(entry.id)).inserted && !entry.isDeleted && apps.count < appsMax {
            let isOwn = isOwn[place]
            apps.append(
                AppEntry(
                    id: entry.id,
                    name: entry.name,
                    names: entry.names,
                    kinds: entry.kinds,
                    icon: entry.icon,
                    category: DesktopCategories.category(of: entry.categories),
                    origin: origins[place],
                    isShown: !entry.isHidden,
                    isOwn: isOwn,
                    isBrowser: entry.categories.contains("WebBrowser"),
                    windowClass: entry.windowClass,
                    start: entry.command.map(programs.start),
                    flatpak: entry.flatpak,
                    snap: entry.snap
                )
            )
        }
        return AppCatalogue(apps, broken: reader.unreadableCount)
    }

    /// Returns the app with this ID, ignoring case.
    package func app(_ id: String) -> AppEntry? {
        find(id) { $0.ids[$1] }
    }

    /// Returns the entry that starts this Steam game.
    func game(_ number: String) -> AppEntry? { games[number].map { apps[Int($0)] } }

    /// Returns the app whose program this process runs a copy of, and the path of the original program.
    ///
    /// If several apps start the same program, prefers the app that the window names, then the app with the program's name.
    func original(of facts: ProcessFacts, named id: String?) -> (app: AppEntry, path: String)? {
        guard let process = facts.process, let bytes = facts.bytes else { return nil }
        let folder = ProcessFolder(process)
        let found = files[bytes, default: []].filter { file in
            file.path != facts.executable && folder.runsCopy(of: file.path, bytes: bytes)
        }
        guard let first = found.first else { return nil }
        let candidates = found.map { apps[Int($0.app)] }
        let main = find(ProgramName.plain(first.path)) { $0.programs[$1] }
        let best = candidates.first { $0.id == id } ?? candidates.first { $0.id == main?.id }
        return (best ?? candidates[0], first.path)
    }

    func find(_ name: String, _ look: (AppIndex, String) -> Int32?) -> AppEntry? {
        let key = AppIndex.key(name)
        guard let place = look(system, key) ?? look(own, key) else { return nil }
        return apps[Int(place)]
    }

    /// Returns a hash of the apps. It is not cryptographic, because an attacker would gain nothing from a collision.
    private static func version(of apps: [AppEntry]) -> Int64 {
        var hash = Fingerprint()
        let add = { (text: String) in
            hash.add(text)
            hash.add(0xFF)
        }
        for app in apps {
            add(app.id)
            add(app.name)
            add(app.icon ?? "")
            add(app.category?.rawValue ?? "")
            add("\(app.origin.rawValue) \(app.isShown) \(app.names.count)")
            for name in app.names.values.sorted() + app.kinds { add(name) }
            // Windows and processes are matched by these values, and an update may change nothing else.
            add("\(app.isOwn) \(app.isBrowser)")
            for text in [app.windowClass, app.flatpak, app.snap] { add(text ?? "") }
            guard let start = app.start else { continue }
            add(start.name)
            for text in [start.realName, start.folder, start.interpreter, start.steamGame] { add(text ?? "") }
            add("\(start.isWebApp) \(start.isScript)")
        }
        // Positive, and small enough to be exact as a floating-point number.
        return Int64(hash.value & 0x1F_FFFF_FFFF_FFFF)
    }
}

/// An app that has a desktop entry.
package struct AppEntry: Sendable, Equatable {
    /// The file name of the desktop entry without `.desktop`, in its original spelling.
    package var id: String
    package var name: String
    /// The name in other languages, keyed by locale.
    package var names: [String: String]
    /// The generic names of the entry, such as "Web Browser".
    package var kinds: [String] = []
    /// The path of a readable picture, or the name of the icon if no picture was found.
    package var icon: String?
    /// `nil` if the entry names no category.
    package var category: Category?
    package var origin: AppOrigin
    /// True if menus show the app, so that a person can choose it.
    package var isShown: Bool
    /// True if the user of this session can write the desktop entry.
    package var isOwn: Bool
    package var isBrowser: Bool
    package var windowClass: String?
    package var start: AppStart?
    package var flatpak: String?
    package var snap: String?

    /// Other names of the app: its window class, its packages and its programs.
    package var programs: [String] {
        [windowClass, flatpak, snap].compactMap(\.self) + startNames
    }

    /// The program that the entry starts, unless it is a shared interpreter or launcher.
    var startNames: [String] {
        guard let start, !start.isWebApp, start.steamGame == nil else { return [] }
        return [start.name, start.realName].compactMap(\.self).map(ProgramName.plain).filter {
            !ProgramName.isInterpreter($0.lowercased()) && $0 != "flatpak" && $0 != "snap"
        }
    }

    /// Returns the name in this language if the entry has one, otherwise the default name.
    package func name(in language: String?) -> String {
        guard let language, !names.isEmpty else { return name }
        for spelling in DesktopEntry.spellings(of: language) {
            if let name = names[spelling] { return name }
        }
        let wanted = language.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }
        let near = names.first {
            $0.key.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" } == wanted
        }
        return near?.value ?? name
    }
}

/// The program that a desktop entry starts, resolved on this computer when the entry was read.
package struct AppStart: Sendable, Equatable {
    /// The last component of the path or name in the entry.
    package var name: String
    /// The name of the link's target, if the path is a link to a file of another name.
    package var realName: String?
    /// The real folder of the program. `nil` if many programs share that folder.
    package var folder: String?
    /// The interpreter that runs the program, if it needs one.
    package var interpreter: String?
    package var steamGame: String?
    package var isWebApp: Bool
    /// True if the file begins with `#!`. The final process then runs a different program.
    package var isScript = false
    /// The program files that a process of this app can run.
    package var files: [ProgramFile] = []
}

package struct ProgramFile: Sendable, Equatable {
    package var path: String
    package var bytes: Int64
}

/// Indexes apps by the names of windows and processes. Keys are in lower case.
struct AppIndex: Sendable {
    /// Marks a name that several apps have, so that the name does not identify any of them.
    private static let ambiguous: Int32 = -1

    private(set) var ids: [String: Int32] = [:]
    private(set) var classes: [String: Int32] = [:]
    /// Last components of IDs: `firefox` of `org.mozilla.firefox`.
    private var suffixes: [String: Int32] = [:]
    private(set) var programs: [String: Int32] = [:]

    init(_ apps: [AppEntry], where matches: (AppEntry) -> Bool) {
        // If several apps claim a window class, it belongs to one that menus show.
        for shown in [true, false] {
            for (place, app) in apps.enumerated() where app.isShown == shown && matches(app) {
                add(app, Int32(clamping: place), isShown: shown)
            }
        }
    }

    func suffixMatch(_ key: String) -> Int32? { suffixes[key].flatMap { $0 == Self.ambiguous ? nil : $0 } }

    /// Returns the lookup key of a name. A `.desktop` at its end stays, because it can be part of the program's own name.
    static func key(_ name: String) -> String { name.lowercased() }

    private mutating func add(_ app: AppEntry, _ place: Int32, isShown: Bool) {
        let id = Self.key(app.id)
        if ids[id] == nil { ids[id] = place }
        if let name = app.windowClass.map(Self.key), classes[name] == nil { classes[name] = place }
        let tail = Self.suffix(of: id)
        if tail != id {
            if let there = suffixes[tail] {
                if isShown, there != place { suffixes[tail] = Self.ambiguous }
            } else {
                suffixes[tail] = place
            }
        }
        for name in app.startNames.map(Self.key) {
            // The entry that has the program's name takes precedence over entries that only start the program.
            if programs[name] == nil || tail == name || id == name { programs[name] = place }
        }
    }

    static func suffix(of id: String) -> String {
        let parts = id.split(separator: ".", omittingEmptySubsequences: true)
        return parts.count >= 3 ? parts.last.map(String.init) ?? id : id
    }
}
