import STContracts
import STPlatform

/// What people call apps: `Firefox` for `org.mozilla.firefox`.
///
/// For lists and sentences that a person reads. JSON, and what the next command wants typed, keep the ids.
package struct DisplayNames: Sendable, Equatable {
    private static let subjectsMax = 200

    private var known: [String: String]

    package init(_ known: [String: String] = [:]) { self.known = known }

    /// Asks activity-center for the names of these apps, in the person's language; without an answer the ids have to do.
    static func load(_ ids: some Sequence<String>, _ invocation: Invocation, _ clients: ServiceClients) async
        -> DisplayNames
    {
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

    static func load(of items: some Sequence<TokenItem>, _ invocation: Invocation, _ clients: ServiceClients)
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

    /// The name that is known, else what the id ends with. One line, no control characters: names come from outside.
    package subscript(id: String) -> String { DisplayWidth.harmless(known[id] ?? Self.short(id)) }

    /// `Firefox (org.mozilla.firefox)`, for lists whose ids are typed in the next command.
    func titled(_ id: String) -> String {
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
    func name(_ item: TokenItem) -> String {
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

/// Finds the app that a person means by what they typed, among those that were used today or are installed.
struct AppFinder {
    /// Enough for a day: more would be read for every rule.
    private static let pagesMax = 4

    private var used: [String]
    /// By id, as the desktop calls them; empty where desktop-agent does not answer.
    private var installed: [String: String]

    /// Nil where neither service can say which apps there are.
    static func load(_ clients: ServiceClients) async -> AppFinder? {
        async let used = try? clients.all(
            ReportDay.self,
            .init(by: .app),
            \.rows,
            (\.next, \.next),
            timeoutMs: SystemView.deadlineMs,
            pagesMax: pagesMax
        )
        async let installed = try? clients.all(
            DesktopCatalogue.self,
            .init(),
            \.apps,
            (\.next, \.next),
            timeoutMs: SystemView.deadlineMs
        )
        let finder = AppFinder(
            used: (await used ?? []).map(\.name),
            installed: Dictionary((await installed ?? []).map { ($0.app, $0.name) }) { first, _ in first }
        )
        return finder.used.isEmpty && finder.installed.isEmpty ? nil : finder
    }

    /// The item with the id that the desktop reports, and what to say about it.
    func find(_ item: TokenItem) -> (item: TokenItem, remark: String?) {
        guard item.kind == .application, !used.contains(item.id), installed[item.id] == nil else {
            return (item, nil)
        }
        let inUse = called(item.id, used)
        let same = inUse.isEmpty ? called(item.id, installed.keys.sorted()) : inUse
        if same.count == 1, let id = same.first {
            return (TokenItem(kind: .application, id: id), "\(item.id) is \(id) here.")
        }
        if same.count > 1 {
            let list = same.joined(separator: " or ")
            return (item, "\(item.id) could be \(list) here; name the one that you mean.")
        }
        let names = used.compactMap { $0.split(separator: ".").last.map(String.init) }
        guard let near = TextFormat.closest(to: item.id, in: used + names) else { return (item, nil) }
        return (item, "Nothing called \(item.id) was used today; did you mean \(near)?")
    }

    /// By its id, by the last part of that, or by the name that lists show.
    private func called(_ name: String, _ ids: [String]) -> [String] {
        let wanted = name.lowercased()
        return ids.filter { id in
            id.lowercased() == wanted || id.split(separator: ".").last?.lowercased() == wanted
                || installed[id]?.lowercased() == wanted
        }
    }
}
