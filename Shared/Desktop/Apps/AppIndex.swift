import STDomain

/// Where an app is found by what windows and processes are called; keys are in lower case.
struct AppIndex: Sendable {
    /// Several apps are called so: nobody can say which is meant.
    private static let several: Int32 = -1

    private(set) var ids: [String: Int32] = [:]
    private(set) var classes: [String: Int32] = [:]
    /// `firefox` of `org.mozilla.firefox`.
    private var tails: [String: Int32] = [:]
    private(set) var programs: [String: Int32] = [:]

    init(_ apps: [CatalogueEntry], where matches: (CatalogueEntry) -> Bool) {
        // A window belongs to what menus show, where several claim it.
        for shown in [true, false] {
            for (place, app) in apps.enumerated() where app.isShown == shown && matches(app) {
                add(app, Int32(clamping: place), isShown: shown)
            }
        }
    }

    func tail(_ key: String) -> Int32? { tails[key].flatMap { $0 == Self.several ? nil : $0 } }

    /// As it is looked up; a program may have `.desktop` at the end of its own name.
    static func key(_ name: String) -> String { name.lowercased() }

    private mutating func add(_ app: CatalogueEntry, _ place: Int32, isShown: Bool) {
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
        guard let start = app.start, !start.isWebApp, start.steamGame == nil else { return }
        for name in [start.name, start.realName].compactMap(\.self).map(ProgramName.plain).map(Self.key)
        where !ProgramName.isInterpreter(name) && name != "flatpak" && name != "snap" {
            // The entry that is called as the program is before all that only start it.
            if programs[name] == nil || tail == name || id == name { programs[name] = place }
        }
    }

    static func tail(of id: String) -> String {
        let parts = id.split(separator: ".", omittingEmptySubsequences: true)
        return parts.count >= 3 ? parts.last.map(String.init) ?? id : id
    }
}
