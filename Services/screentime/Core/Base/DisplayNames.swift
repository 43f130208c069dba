package import STContracts
import STPlatform

/// What people call apps: `Firefox` for `org.mozilla.firefox`.
///
/// For lists and sentences that a person reads. JSON, and what the next command wants typed, keep the ids.
package struct DisplayNames: Sendable, Equatable {
    private static let subjectsMax = 200

    private var known: [String: String]
    /// The person wants the ids themselves.
    private(set) var areIDs = false

    package init(_ known: [String: String] = [:]) { self.known = known }

    /// Asks activity-center for the names of these apps, in the person's language; without an answer the ids have to do.
    package static func load(
        _ ids: some Sequence<String>,
        _ invocation: Invocation,
        _ clients: ServiceClients
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
            \.facts,
            (\.next, \.next),
            timeoutMs: SystemView.deadlineMs
        )
        let language = SessionLanguage.tag(invocation.environment)
        return DisplayNames(facts: wanted.isEmpty ? [] : found ?? [], language)
    }

    /// The names that installed apps give themselves, by what auth-service knows.
    static func installed(_ clients: ServiceClients) async -> DisplayNames {
        let apps = (try? await clients.installedApps(timeoutMs: SystemView.deadlineMs)) ?? []
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
        await load(items.filter { $0.kind == .application }.map(\.id), invocation, clients)
    }

    private init(facts: [SubjectFacts], _ language: String?) {
        let short = language?.split { $0 == "_" || $0 == "-" }.first.map(String.init)
        let pairs = facts.compactMap { facts in
            let own = [language, short].compactMap(\.self).compactMap { facts.names[$0] }.first
            return (own ?? facts.name).map { (facts.subject, $0) }
        }
        known = Dictionary(pairs) { first, _ in first }
    }

    package func knows(_ id: String) -> Bool { known[id] != nil }

    /// The name that is known, else what the id ends with. One line, no control characters: names come from outside.
    package subscript(id: String) -> String {
        DisplayWidth.harmless(known[id] ?? (areIDs ? id : Self.short(id)))
    }

    /// `Firefox (org.mozilla.firefox)`, for lists whose ids are typed in the next command.
    package func titled(_ id: String) -> String {
        guard let name = known[id] else { return DisplayWidth.harmless(id) }
        return DisplayWidth.harmless(name.lowercased() == id.lowercased() ? name : "\(name) (\(id))")
    }

    /// A text of words with names in place of the ids among them.
    func replacing(in text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map {
            known[String($0)] ?? String($0)
        }
        return DisplayWidth.harmless(words.joined(separator: " "))
    }

    /// The thing of a rule or a request.
    package func name(_ item: TokenItem) -> String {
        item.kind == .application ? self[item.id] : DisplayWidth.harmless(item.id)
    }

    /// `Firefox` of `org.mozilla.firefox`; an id with a dot for another reason, such as `gimp-2.10`, stays.
    package static func short(_ id: String) -> String {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, let last = parts.last, last.first?.isLetter == true else { return id }
        return capitalised(last)
    }

    /// With a capital letter first.
    package static func capitalised(_ text: some StringProtocol) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
