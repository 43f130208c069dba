import STContracts
import STDomain

/// The programs that are installed, and what they may be known by.
///
/// Those of the system come first in everything: what the person who sits here wrote never takes their names.
package struct AppCatalogue: Sendable {
    package static let appsMax = 3_000

    /// In the order of the folders: the system's first, those of the home folder last.
    package let apps: [CatalogueEntry]
    /// The same for the same apps, and another one when any was installed, removed or renamed.
    package let version: Int64
    /// Files that are none, or cannot be read; and files beyond what is read.
    package let broken: Int
    package let leftOut: Int
    let system: AppIndex
    let own: AppIndex
    private let games: [String: Int32]

    /// Nothing is installed.
    package init() { self.init([]) }

    package init(_ all: [CatalogueEntry], broken: Int = 0, leftOut: Int = 0) {
        var seen: Set<String> = []
        var apps: [CatalogueEntry] = []
        for app in all where apps.count < Self.appsMax && seen.insert(AppIndex.key(app.id)).inserted {
            apps.append(app)
        }
        self.apps = apps
        self.broken = broken
        self.leftOut = leftOut + (all.count - apps.count)
        system = AppIndex(apps) { !$0.isOwn }
        own = AppIndex(apps) { $0.isOwn }
        var games: [String: Int32] = [:]
        for (place, app) in apps.enumerated() {
            if let game = app.start?.steamGame, games[game] == nil { games[game] = Int32(clamping: place) }
        }
        self.games = games
        version = Self.version(of: apps)
    }

    /// Reads what is installed now; takes some tens of milliseconds, so not where somebody waits.
    ///
    /// `folders` are those of `DesktopFolders`.
    package static func read(
        _ folders: [String],
        languages: [String],
        environment: [String: String]
    ) -> AppCatalogue {
        let reader = DesktopReader(folders, languages: languages)
        let origins = folders.map { DesktopFolders.origin(of: $0, environment: environment) }
        let isOwn = folders.map { DesktopFolders.isOwn($0, environment: environment) }
        let icons = IconFinder(
            data: zip(folders, isOwn).map { (ProgramName.folder($0), $1) },
            home: environment["HOME"]
        )
        let programs = ProgramFinder(environment: environment)
        var apps: [CatalogueEntry] = []
        var seen: Set<String> = []
        for (entry, place) in zip(reader.entries, reader.places)
        // One that was deleted in a folder hides those of later ones, too.
        where seen.insert(AppIndex.key(entry.id)).inserted && !entry.isDeleted && apps.count < appsMax {
            let isOwn = isOwn[place]
            let icon = entry.icon.flatMap { icon in
                // Only what somebody can choose is ever shown with its picture.
                (entry.isHidden ? nil : icons.path(of: icon, isOwn: isOwn))
                    ?? (icon.contains("/") ? nil : icon)
            }
            apps.append(
                CatalogueEntry(
                    id: entry.id,
                    name: entry.name,
                    names: entry.names,
                    icon: icon,
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
        return AppCatalogue(apps, broken: reader.broken, leftOut: reader.leftOut)
    }

    /// By its id, however that is spelled.
    package func app(_ id: String) -> CatalogueEntry? {
        find(id) { $0.ids[$1] }
    }

    /// The entry by which people start a game of Steam.
    func game(_ number: String) -> CatalogueEntry? { games[number].map { apps[Int($0)] } }

    func find(_ name: String, _ look: (AppIndex, String) -> Int32?) -> CatalogueEntry? {
        let key = AppIndex.key(name)
        guard let place = look(system, key) ?? look(own, key) else { return nil }
        return apps[Int(place)]
    }

    /// FNV-1a: nobody gains anything from two catalogues that look the same.
    private static func version(of apps: [CatalogueEntry]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let add = { (text: String) in
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        for app in apps {
            add(app.id)
            add(app.name)
            add(app.icon ?? "")
            add(app.category?.rawValue ?? "")
            add("\(app.origin.rawValue) \(app.isShown) \(app.names.count)")
            for name in app.names.values.sorted() { add(name) }
            // Windows and processes are told apart by these: an update may change nothing else.
            add("\(app.isOwn) \(app.isBrowser)")
            for text in [app.windowClass, app.flatpak, app.snap] { add(text ?? "") }
            guard let start = app.start else { continue }
            add(start.name)
            for text in [start.realName, start.folder, start.interpreter, start.steamGame] { add(text ?? "") }
            add("\(start.isWebApp) \(start.isScript)")
        }
        // Positive, and exact where numbers are floating.
        return Int64(hash & 0x1F_FFFF_FFFF_FFFF)
    }
}
