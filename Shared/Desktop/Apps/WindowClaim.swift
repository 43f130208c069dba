import STContracts
import STDomain
import STPlatform

/// Finds the app of a window in the catalogue, by the names that the window reports.
enum WindowClaim {
    /// Names that many programs have because their authors chose none.
    private static let generic: Set<String> = [
        "main", "toplevel", "tk", "navigator", "sun-awt-x11-xframepeer", "sun-awt-x11-xdialogpeer", "window",
        "gtk", "qt", "sdl", "application", "app", "unknown", "zenity-dialog",
    ]

    static func isGeneric(_ name: String) -> Bool {
        let key = AppIndex.key(name)
        return generic.contains(key) || key.hasPrefix("sun-awt-x11") || ProgramName.isInterpreter(key)
    }

    static func find(_ window: DesktopWindow, catalogue: AppCatalogue, steps: inout [Message])
        -> AppClaim?
    {
        guard let claim = lookUp(window, catalogue) else {
            steps.append(noMatchMessage(window))
            return nil
        }
        return claim
    }

    private static func noMatchMessage(_ window: DesktopWindow) -> Message {
        let words = [window.desktopFile, window.windowClass, window.instance].compactMap(\.self)
        guard !words.isEmpty else {
            return Message("agent.window-has-no-name", "The window does not say which app it belongs to.")
        }
        var seen: Set<String> = []
        let list = words.filter { seen.insert($0).inserted }.map(\.quoted).joined(separator: ", ")
        return Message(
            "agent.no-entry-with-name",
            "The window calls itself \(list, "names"), and no desktop entry has that name."
        )
    }

    private static func lookUp(_ window: DesktopWindow, _ catalogue: AppCatalogue) -> AppClaim? {
        let instance = window.instance.flatMap { isGeneric($0) ? nil : $0 }
        let name = window.windowClass.flatMap { isGeneric($0) ? nil : $0 }
        if let game = steam(name ?? instance, catalogue) { return game }
        // A site in a window of its own also has the class of its browser.
        let site = [instance, name].compactMap(\.self).first { $0.hasPrefix("crx_") }
        if let site, let app = catalogue.find(site, { $0.classes[$1] }) {
            return entry(app, clue: .windowClass, why: entryNames(site))
        }
        for index in [catalogue.system, catalogue.own] {
            let find = { (place: Int32?) in place.map { catalogue.apps[Int($0)] } }
            if let claim = byEntry(window, name: name, index: index, find: find) ?? byClass(
                name,
                instance: instance,
                index: index,
                find: find
            )
                ?? byName(name, instance: instance, index: index, find: find)
            {
                return claim
            }
        }
        return nil
    }

    private static func byEntry(
        _ window: DesktopWindow,
        name: String?,
        index: AppIndex,
        find: (Int32?) -> AppEntry?
    ) -> AppClaim? {
        if let file = window.desktopFile {
            var id = ProgramName.base(file)
            if id.hasSuffix(".desktop"), index.ids[AppIndex.key(id)] == nil { id.removeLast(8) }
            if let app = find(index.ids[AppIndex.key(id)]) {
                let why = Message("agent.window-names-its-entry", "the window names its desktop entry itself")
                return entry(app, clue: .desktopEntry, why: why)
            }
        }
        guard let name, let app = find(index.ids[AppIndex.key(name)]), app.id == name else { return nil }
        let why = Message(
            "agent.windows-named-after-entry",
            "its windows have the name of its desktop entry"
        )
        return entry(app, clue: .desktopEntry, why: why)
    }

    private static func byClass(
        _ name: String?,
        instance: String?,
        index: AppIndex,
        find: (Int32?) -> AppEntry?
    ) -> AppClaim? {
        // The instance is more specific, because a whole family of programs can share a class.
        for word in [instance, name].compactMap(\.self) {
            if let app = find(index.classes[AppIndex.key(word)]) {
                return entry(app, clue: .windowClass, why: entryNames(word))
            }
        }
        return nil
    }

    /// Finds an app by the usual spellings of its name: `Firefox`, `org.gnome.Nautilus` for `nautilus`, `VirtualBox Manager`.
    private static func byName(
        _ name: String?,
        instance: String?,
        index: AppIndex,
        find: (Int32?) -> AppEntry?
    ) -> AppClaim? {
        for word in [name, instance].compactMap(\.self) {
            let key = AppIndex.key(word)
            let dashed = String(key.map { $0 == " " ? "-" : $0 })
            let normal = CategoryMap.normal(app: word)
            let tail = AppIndex.suffix(of: key)
            let place =
                index.ids[key] ?? index.ids[dashed] ?? index.ids[normal] ?? index.ids["\(key)_\(key)"]
                ?? index.suffixMatch(key) ?? (tail != key ? index.ids[tail] ?? index.suffixMatch(tail) : nil)
            if let app = find(place) {
                let why = Message("agent.windows-have-name", "its windows are called \(word.quoted, "name")")
                return entry(app, clue: .windowClass, why: why)
            }
        }
        return nil
    }

    private static func steam(_ name: String?, _ catalogue: AppCatalogue) -> AppClaim? {
        guard let name = name.map(AppIndex.key), name.hasPrefix("steam_app_") else { return nil }
        let number = name.dropFirst("steam_app_".count)
        guard (1...12).contains(number.utf8.count), number.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        let app = catalogue.game(String(number))
        return AppClaim(
            id: name,
            app: app,
            clue: .windowClass,
            why: Message("agent.windows-named-by-steam", "Steam gives such names to the windows of its games")
        )
    }

    private static func entryNames(_ name: String) -> Message {
        Message(
            "agent.entry-names-windows",
            "its entry says that its windows are called \(name.quoted, "name")"
        )
    }

    private static func entry(_ app: AppEntry, clue: AppClue, why: Message) -> AppClaim {
        AppClaim(id: app.id, app: app, clue: clue, why: why)
    }
}
