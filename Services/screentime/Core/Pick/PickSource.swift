package import STContracts
import STDesktop
package import STDomain
import STPlatform

/// The items that can be chosen on this computer.
struct PickSource: Sendable {
    var apps: [PickApp]
    var map: CategoryMap
    /// A note for the person if the list may be incomplete.
    var remark: Message?

    private static let timeout: Duration = .seconds(2)

    /// Upper bound on the attempts. If a program is installed while the list is read, reading restarts.
    private static let triesMax = 3

    static func load(_ invocation: Invocation, language: String?, _ clients: ServiceClients) async
        -> PickSource
    {
        do {
            let found = try await fetch(language, clients)
            return PickSource(apps: found.map(app), map: CategoryMap(), remark: nil)
        } catch {
            let problem = ProblemText.problem(error)
            let cause =
                problem.code == "service.not_running"
                ? Message("pick.desktop-agent-is-not", "desktop-agent is not running.") : problem.text
            return PickSource(
                apps: entries(invocation.environment, language: language).map(app),
                map: CategoryMap(),
                remark: Message(
                    "pick.list-has-only-found",
                    """
                    \(cause, "cause") The list therefore has only the apps whose desktop entries this command \
                    found itself.
                    """
                )
            )
        }
    }

    private static func fetch(_ language: String?, _ clients: ServiceClients) async throws -> [CatalogueApp] {
        for attempt in 1...triesMax {
            do {
                let request = DesktopCatalogue.Request(language: language)
                return try await clients.all(
                    DesktopCatalogue.self,
                    request,
                    rows: \.apps,
                    next: (\.next, \.next),
                    timeout: timeout
                )
            } catch let problem as Problem where problem.code == "page.changed" && attempt < triesMax {
                continue
            }
        }
        return []
    }

    private static func app(_ app: CatalogueApp) -> PickApp {
        PickApp(
            id: app.app,
            name: DisplayWidth.sanitized(app.name),
            category: Category(rawValue: app.category) ?? .other,
            origin: app.origin
        )
    }

    /// Returns the apps of the desktop entries, without the categories to which a person has moved apps.
    static func entries(_ environment: [String: String], language: String?) -> [CatalogueApp] {
        let folders = AppEntryFolders.list("", isVirtual: false, environment: environment)
        let languages = [language, "ko"].compactMap(\.self)
        return AppCatalogue.read(folders, languages: languages, environment: environment)
            .choices(CategoryMap(), language: language)
    }
}

/// An app that can be chosen, or a chosen app that is no longer installed.
package struct PickApp: Sendable, Equatable {
    package var id: String
    package var name: String
    package var category: Category
    package var origin: AppOrigin
    package var isInstalled: Bool
    /// The app's name and id in the spelling of `PickSearch.key`.
    let searchKey: String

    package init(
        id: String,
        name: String,
        category: Category,
        origin: AppOrigin = .system,
        isInstalled: Bool = true
    ) {
        self.id = id
        self.name = name
        self.category = category
        self.origin = origin
        self.isInstalled = isInstalled
        searchKey = PickSearch.key(name) + "\n" + PickSearch.key(id)
    }
}

/// Searches names without regard to case and blanks. A Korean name also matches by the initial consonants of its syllables.
package enum PickSearch {
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)

    static func key(_ text: String) -> String {
        String(text.lowercased().filter { !$0.isWhitespace })
    }

    /// Returns true if the name matches. `sought` is a result of `key`.
    package static func matches(_ sought: String, _ typed: String) -> Bool {
        let typed = key(typed)
        if typed.isEmpty || sought.contains(typed) { return true }
        guard typed.unicodeScalars.contains(where: { initials.contains($0) }) else { return false }
        return hasPrefix(Array(sought.unicodeScalars), Array(typed.unicodeScalars))
    }

    /// Returns true if the name contains the typed text. A typed consonant matches any syllable that begins with it.
    private static func hasPrefix(_ sought: [Unicode.Scalar], _ typed: [Unicode.Scalar]) -> Bool {
        guard sought.count >= typed.count else { return false }
        return (0...(sought.count - typed.count)).contains { start in
            typed.indices.allSatisfy { place in
                let scalar = sought[start + place]
                return scalar == typed[place] || initial(of: scalar) == typed[place]
            }
        }
    }

    private static func initial(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard (0xAC00...0xD7A3).contains(scalar.value) else { return nil }
        return initials[Int((scalar.value - 0xAC00) / 588)]
    }
}
