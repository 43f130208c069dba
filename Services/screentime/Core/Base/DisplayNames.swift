package import STContracts
import STPlatform

/// The names of apps for people: `Firefox` for `org.mozilla.firefox`.
///
/// Lists and sentences for people use these names. JSON, and ids that the next command needs, keep the ids.
package struct DisplayNames: Sendable, Equatable {
    private static let subjectsMax = 200

    private var known: [String: String]
    /// True if the person requested ids with `--ids`.
    private(set) var areIDs = false

    package init(_ known: [String: String] = [:]) { self.known = known }

    /// Requests the names of these apps in the person's language from activity-center. Without a reply, ids are shown.
    package static func load(
        _ ids: some Sequence<String>,
        invocation: Invocation,
        clients: ServiceClients
    ) async
        -> DisplayNames
    {
        guard !invocation.has("--ids") else {
            var names = DisplayNames()
            names.areIDs = true
            return names
        }
        let wanted = Array(Set(ids).sorted().prefix(subjectsMax))
        let found = try? await clients.all(
            CategoryFacts.self,
            .init(subjects: wanted),
            rows: \.facts,
            next: (\.next, \.next),
            timeout: SystemView.timeout
        )
        let language = SessionLanguage.tag(invocation.environment)
        return DisplayNames(facts: wanted.isEmpty ? [] : found ?? [], language)
    }

    /// Loads the names in the manifests of the installed apps from auth-service.
    static func installed(_ clients: ServiceClients) async -> DisplayNames {
        let apps = (try? await clients.installedApps(timeout: SystemView.timeout)) ?? []
        return DisplayNames(Dictionary(apps.map { ($0.manifest.id, $0.manifest.name) }) { first, _ in first })
    }

    package static func load(
        of items: some Sequence<TokenItem>,
        _ invocation: Invocation,
        _ clients: ServiceClients
    )
        async
        -> DisplayNames
    {
        await load(
            items.filter { $0.kind == .application }.map(\.id),
            invocation: invocation,
            clients: clients
        )
    }

    private init(facts: [SubjectFacts], _ language: String?) {
        let short = language?.split { $0 == "_" || $0 == "-" }.first.map(String.init)
        let pairs = facts.compactMap { facts in
            let own = [language, short].compactMap(\.self).compactMap { facts.names[$0] }.first
            return (own ?? facts.name).map { (facts.subject, $0) }
        }
        known = Dictionary(pairs) { first, _ in first }
    }

    package func contains(_ id: String) -> Bool { known[id] != nil }

    /// Returns the known name, or else the end of the id. Names come from other programs, so control characters are removed.
    package subscript(id: String) -> String {
        DisplayWidth.sanitized(known[id] ?? (areIDs ? id : Self.short(id)))
    }

    /// Returns `Firefox (org.mozilla.firefox)`, for lists whose ids are typed in the next command.
    package func titled(_ id: String) -> String {
        guard let name = known[id] else { return DisplayWidth.sanitized(id) }
        return DisplayWidth.sanitized(name.lowercased() == id.lowercased() ? name : "\(name) (\(id))")
    }

    /// Returns the text with each word that is an id replaced by its name.
    func replacing(in text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map {
            known[String($0)] ?? String($0)
        }
        return DisplayWidth.sanitized(words.joined(separator: " "))
    }

    package func name(_ item: TokenItem) -> String {
        item.kind == .application ? self[item.id] : DisplayWidth.sanitized(item.id)
    }

    /// Returns `Firefox` for `org.mozilla.firefox`. Ids that are not reversed domain names, for example `gimp-2.10`, are
    /// unchanged.
    package static func short(_ id: String) -> String {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, let last = parts.last, last.first?.isLetter == true else { return id }
        return capitalised(last)
    }

    package static func capitalised(_ text: some StringProtocol) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
