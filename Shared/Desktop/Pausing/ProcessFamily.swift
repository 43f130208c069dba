import STDesktop
package import STPlatform

/// The processes that are one app.
///
/// - The processes of its windows, and what those have started: renderers, helpers, a build in an editor.
/// - What one of them leads, although its own parent has died meanwhile, when it is the same program or lies beside it.
/// - Where systemd has a unit for this very app: all that is in it.
///
/// Never upwards: the launcher, panel or shell that started the app does not belong to it. Nor does what it started as
/// something else: what has windows of another app, lies in another app's unit, leads a session of its own with another
/// program, has another terminal or account, or is a part of the desktop (a bus, an agent for keys).
package struct ProcessFamily: Sendable {
    /// More processes are not one app, and would take too long to hold.
    package static let membersMax = 4_096

    package let app: String
    /// The processes of its windows that are still there.
    package let roots: [ProcessEntry]
    package private(set) var members: [Int32: ProcessEntry] = [:]
    /// The unit in which all its windows' processes are.
    package let scope: AppScope?
    package let isTooLarge: Bool

    /// A process that started another comes before it.
    package var parentsFirst: [ProcessEntry] {
        members.values.map { ($0, view.depth(of: $0.pid)) }.sorted { ($0.1, $0.0.pid) < ($1.1, $1.0.pid) }
            .map(\.0)
    }

    let view: ProcessView
    private let account: UInt32?
    private let cgroups: Set<String>

    package init(
        app: String,
        pids: [Int32],
        view: ProcessView,
        facts: NeverFacts = NeverFacts(),
        tree: CgroupTree? = CgroupTree()
    ) {
        self.app = app
        self.view = view
        roots = Set(pids).sorted().compactMap { view[$0] }.filter { !$0.hasEnded }
        account = roots.first.flatMap { ProcessFolder($0.pid).account }
        let places = roots.map { ProcessFolder($0.pid).cgroup }
        cgroups = Set(places.compactMap { $0 })
        let scopes = Set(places.map { $0.flatMap(AppScope.init(cgroup:)) })
        scope = scopes.count == 1 ? scopes.first ?? nil : nil
        var found = Self.Walk(roots)
        let kin = Kin(view: view, facts: facts, app: app, account: account, cgroups: cgroups, scope: scope)
        if let scope, scope.isMade(for: app), let inside = tree?.members(scope.cgroup) {
            for entry in inside.sorted().compactMap({ view[$0] }) where kin.mayBeInScope(entry) {
                found.add(entry)
            }
        }
        found.descend(kin)
        found.adopt(kin)
        members = found.members
        isTooLarge = found.isTooLarge
    }

    /// What is found on the way, in the order of finding.
    private struct Walk {
        var members: [Int32: ProcessEntry] = [:]
        var isTooLarge = false
        private var queue: [ProcessEntry] = []

        init(_ roots: [ProcessEntry]) { for root in roots { add(root) } }

        mutating func add(_ entry: ProcessEntry) {
            guard members[entry.pid] == nil, !entry.hasEnded else { return }
            guard members.count < ProcessFamily.membersMax else {
                isTooLarge = true
                return
            }
            members[entry.pid] = entry
            queue.append(entry)
        }

        mutating func descend(_ kin: Kin) {
            while let parent = queue.popLast() {
                for child in kin.view.children(of: parent.pid) where members[child.pid] == nil {
                    if kin.isOwn(child, of: parent) { add(child) }
                }
            }
        }

        /// Orphans: their parents are gone, but not those who lead their group or session.
        mutating func adopt(_ kin: Kin) {
            let orphans = kin.view.entries.values.filter { entry in
                members[entry.pid] == nil && !entry.hasEnded
                    && (members[entry.group] != nil || members[entry.session] != nil)
            }
            guard !orphans.isEmpty else { return }
            let homes = Set(members.values.compactMap(kin.home))
            let above = members.keys.reduce(into: Set<Int32>()) { $0.formUnion(kin.view.ancestors(of: $1)) }
            let loose = Set(orphans.map(\.pid))
            for entry in orphans.sorted(by: { $0.pid < $1.pid }) {
                // Its parent was asked about already, or is an orphan itself and comes before it.
                let chain = kin.view.ancestors(of: entry.pid)
                guard chain.isDisjoint(with: members.keys), chain.isDisjoint(with: loose),
                    !above.contains(entry.pid), kin.home(entry).map(homes.contains) == true,
                    kin.isOwn(entry, of: nil)
                else { continue }
                add(entry)
            }
            descend(kin)
        }
    }
}

/// Whether a process is a part of an app, or was started by it as something else.
struct Kin {
    let view: ProcessView
    let facts: NeverFacts
    let app: String
    let account: UInt32?
    /// The cgroups of the processes of the app's windows.
    let cgroups: Set<String>
    let scope: AppScope?

    /// `parent` is nil for an orphan.
    func isOwn(_ entry: ProcessEntry, of parent: ProcessEntry?) -> Bool {
        guard isNotForeign(entry), isInPlace(entry) else { return false }
        guard let parent else { return true }
        if entry.terminal != 0 && entry.terminal != parent.terminal { return false }
        // A session of its own is how a daemon or another app is started; a helper is the same program once more.
        let leads = entry.session == entry.pid && parent.session != entry.session
        return !leads || home(entry) == home(parent)
    }

    /// The unit was made for the app: only what clearly belongs to something else is left out.
    func mayBeInScope(_ entry: ProcessEntry) -> Bool { isNotForeign(entry) }

    private func isNotForeign(_ entry: ProcessEntry) -> Bool {
        if entry.isKernel { return false }
        if let owners = facts.windowOwners[entry.pid], !owners.isEmpty {
            return owners.contains(app)
        }
        if facts.chromePids.contains(entry.pid) { return false }
        if ProcessFolder(entry.pid).account != account { return false }
        // A terminal among them is not left out but makes the whole of it one that is never paused (`NeverList`).
        return entry.programs.allSatisfy { program in
            NeverPrograms.part(of: program).map { $0 == .terminal } ?? true
        }
    }

    private func isInPlace(_ entry: ProcessEntry) -> Bool {
        guard let cgroup = ProcessFolder(entry.pid).cgroup else { return cgroups.isEmpty }
        if AppScope(cgroup: cgroup) != scope { return false }
        return cgroups.contains { $0 == "/" || cgroup == $0 || cgroup.hasPrefix($0 + "/") }
    }

    /// What two processes of one app have in common: the folder of their programs, or, where that is one for all
    /// programs, the program itself.
    func home(_ entry: ProcessEntry) -> String? {
        guard let path = ProcessFolder(entry.pid).executable, let slash = path.lastIndex(of: "/") else {
            return nil
        }
        let folder = path[..<slash]
        let isCommon = ["/bin", "/sbin", "/games", "/libexec"].contains { folder.hasSuffix($0) }
        return isCommon ? ([path] + entry.programs).joined(separator: " ") : String(folder)
    }
}

/// A unit of systemd that was made for one app: `app-gnome-firefox-1234.scope`, `snap.firefox.firefox-….scope`.
package struct AppScope: Sendable, Hashable {
    /// The path from the root of the hierarchy.
    package var cgroup: String
    package var unit: String

    /// The innermost one of a process's cgroup; nil when it is in none.
    package init?(cgroup: String) {
        let parts = cgroup.split(separator: "/").map(String.init)
        guard let index = parts.lastIndex(where: Self.isApp) else { return nil }
        unit = parts[index]
        self.cgroup = "/" + parts[...index].joined(separator: "/")
    }

    private static func isApp(_ unit: String) -> Bool {
        guard unit.hasSuffix(".scope") || unit.hasSuffix(".service") else { return false }
        return unit.hasPrefix("app-") || unit.hasPrefix("snap.") || unit.hasPrefix("flatpak-")
            || unit.hasPrefix("dbus-:")
    }

    /// Whether the unit's name says that it was made for this app.
    package func isMade(for app: String) -> Bool {
        let wanted = app.lowercased()
        let short = wanted.split(separator: ".").last.map(String.init) ?? wanted
        return names.contains {
            $0 == wanted || $0 == short || $0.split(separator: ".").last.map(String.init) == wanted
        }
    }

    /// What may be the app's id in it: `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service`,
    /// `snap.NAME.APP-….scope`, `dbus-:1.2-ID@0.service`.
    private var names: [String] {
        let dot = unit.lastIndex(of: ".") ?? unit.endIndex
        var stem = unit[..<dot]
        if unit.hasPrefix("snap.") {
            let parts = stem.split(separator: ".", maxSplits: 2).map { $0.prefix { $0 != "-" } }
            guard parts.count > 2 else { return [] }
            return ["\(parts[1])_\(parts[2])", "\(parts[1])", "\(parts[2])"].map { Self.plain($0) }
        }
        if let at = stem.firstIndex(of: "@") {
            stem = stem[..<at]
        } else if unit.hasSuffix(".scope"), let dash = stem.lastIndex(of: "-") {
            stem = stem[..<dash]
        }
        let words = stem.split(separator: "-").dropFirst()
        // The launcher may be there or not, and an id whose dashes were not escaped has several words.
        return words.indices.map { Self.plain(words[$0...].joined(separator: "-")) }
    }

    /// `org.foo\x2dBar` is `org.foo-bar`.
    private static func plain(_ text: String) -> String { ScopeName.unescaped(text).lowercased() }
}
