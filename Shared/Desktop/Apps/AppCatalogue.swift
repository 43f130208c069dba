package import STContracts
package import STDomain
import STPlatform

/// The programs that are installed, and what they may be known by.
///
/// Programs of the system come first in everything: entries in the home folder never take their names.
package struct AppCatalogue: Sendable {
    package static let appsMax = 3_000

    /// In the order of the folders: the system's first, those of the home folder last.
    package let apps: [AppEntry]
    /// The same for the same apps, and another one when any was installed, removed or renamed.
    package let version: Int64
    /// How many files are not entries, or cannot be read.
    package let broken: Int
    let system: AppIndex
    let own: AppIndex
    private let games: [String: Int32]
    /// The installed programs that apps start, keyed by file size.
    private let files: [Int64: [(path: String, app: Int32)]]

    /// With nothing installed.
    package init() { self.init([]) }

    package init(_ all: [AppEntry], broken: Int = 0) {
        var seen: Set<String> = []
        var apps: [AppEntry] = []
        for app in all where apps.count < Self.appsMax && seen.insert(AppIndex.key(app.id)).inserted {
            apps.append(app)
        }
        self.apps = apps
        self.broken = broken
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

    /// The apps that a person can choose, in the order in which people read names.
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

    /// Without what is there already; nil for none.
    private static func others(_ texts: [String], than known: Set<String>) -> [String]? {
        var seen = known
        let others = texts.filter { seen.insert($0).inserted }
        return others.isEmpty ? nil : others
    }

    /// Reads what is installed now, from the folders of `AppEntryFolders`.
    ///
    /// Takes some tens of milliseconds, so call it where no loop waits.
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
        for (entry, place) in zip(reader.withPictures(folders, environment: environment), reader.places)
        // An entry that was deleted in a folder hides its namesakes in later folders, too.
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
        return AppCatalogue(apps, broken: reader.broken)
    }

    /// The app with this id, in any case of letters.
    package func app(_ id: String) -> AppEntry? {
        find(id) { $0.ids[$1] }
    }

    /// The entry by which people start a game of Steam.
    func game(_ number: String) -> AppEntry? { games[number].map { apps[Int($0)] } }

    /// Finds the app whose program this process runs a copy of, and the path of the original program.
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

    /// No cryptographic hash: a forged collision would gain nothing.
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
            // Windows and processes are matched by these, and an update may change nothing else.
            add("\(app.isOwn) \(app.isBrowser)")
            for text in [app.windowClass, app.flatpak, app.snap] { add(text ?? "") }
            guard let start = app.start else { continue }
            add(start.name)
            for text in [start.realName, start.folder, start.interpreter, start.steamGame] { add(text ?? "") }
            add("\(start.isWebApp) \(start.isScript)")
        }
        // Positive, and exact where numbers are floating.
        return Int64(hash.value & 0x1F_FFFF_FFFF_FFFF)
    }
}

/// An app that has a desktop entry.
package struct AppEntry: Sendable, Equatable {
    /// The name of its desktop entry, as that spells it.
    package var id: String
    package var name: String
    /// Its name in other languages.
    package var names: [String: String]
    /// What sort of program it is.
    package var kinds: [String] = []
    /// The path of a picture that can be read, or the name of an icon where none was found.
    package var icon: String?
    /// Nil when its entry names none.
    package var category: Category?
    package var origin: AppOrigin
    /// Whether menus show it, and so whether a person can choose it.
    package var isShown: Bool
    /// The person who sits here wrote its entry, or could have.
    package var isOwn: Bool
    package var isBrowser: Bool
    package var windowClass: String?
    package var start: AppStart?
    package var flatpak: String?
    package var snap: String?

    /// What people may call it by what it starts, and by its windows and packages.
    package var programs: [String] {
        [windowClass, flatpak, snap].compactMap(\.self) + startNames
    }

    /// The program that it starts, where that is its own.
    var startNames: [String] {
        guard let start, !start.isWebApp, start.steamGame == nil else { return [] }
        return [start.name, start.realName].compactMap(\.self).map(ProgramName.plain).filter {
            !ProgramName.isInterpreter($0.lowercased()) && $0 != "flatpak" && $0 != "snap"
        }
    }

    /// In the language that is wanted, else in its own.
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

/// What an entry starts, looked up on this computer when the entry was read.
package struct AppStart: Sendable, Equatable {
    /// The last part of the path or name that the entry has.
    package var name: String
    /// What that is a link to, where it is one to something of another name.
    package var realName: String?
    /// Where it is really, unless that is a folder that many programs share.
    package var folder: String?
    /// What runs it, where it is not a program by itself.
    package var interpreter: String?
    package var steamGame: String?
    package var isWebApp: Bool
    /// It begins with `#!`: what its process is in the end is another program.
    package var isScript = false
    /// The program files that a process of this app can run.
    package var files: [ProgramFile] = []
}

package struct ProgramFile: Sendable, Equatable {
    package var path: String
    package var bytes: Int64
}

/// Where an app is found by what windows and processes are called; keys are in lower case.
struct AppIndex: Sendable {
    /// Several apps have this name, so it is not clear which is meant.
    private static let several: Int32 = -1

    private(set) var ids: [String: Int32] = [:]
    private(set) var classes: [String: Int32] = [:]
    /// `firefox` of `org.mozilla.firefox`.
    private var tails: [String: Int32] = [:]
    private(set) var programs: [String: Int32] = [:]

    init(_ apps: [AppEntry], where matches: (AppEntry) -> Bool) {
        // A window belongs to what menus show, where several claim it.
        for shown in [true, false] {
            for (place, app) in apps.enumerated() where app.isShown == shown && matches(app) {
                add(app, Int32(clamping: place), isShown: shown)
            }
        }
    }

    func tail(_ key: String) -> Int32? { tails[key].flatMap { $0 == Self.several ? nil : $0 } }

    /// As names are looked up. A `.desktop` at the end stays: it may belong to the program's own name.
    static func key(_ name: String) -> String { name.lowercased() }

    private mutating func add(_ app: AppEntry, _ place: Int32, isShown: Bool) {
        let id = Self.key(app.id)
        if ids[id] == nil { ids[id] = place }
        if let name = app.windowClass.map(Self.key), classes[name] == nil { classes[name] = place }
        let tail = Self.tail(of: id)
        if tail != id {
            if let there = tails[tail] {
                if isShown, there != place { tails[tail] = Self.several }
            } else {
                tails[tail] = place
            }
        }
        for name in app.startNames.map(Self.key) {
            // The entry that is called as the program is before all that only start it.
            if programs[name] == nil || tail == name || id == name { programs[name] = place }
        }
    }

    static func tail(of id: String) -> String {
        let parts = id.split(separator: ".", omittingEmptySubsequences: true)
        return parts.count >= 3 ? parts.last.map(String.init) ?? id : id
    }
}
