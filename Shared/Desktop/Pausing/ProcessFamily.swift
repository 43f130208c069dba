import STDesktop
package import STPlatform

/// The processes of one app.
///
/// - The processes of its windows, and the processes that they started: renderers, helpers, a build in an editor.
/// - Orphans whose group or session one of them leads, if they run the same program or one in the same folder.
/// - All processes in the systemd unit of this app, if there is one.
///
/// A family never contains parents: the launcher, panel or shell that started the app. It also excludes processes that the app
/// started as something else:
///
/// - processes with windows of another app, or in another app's unit
/// - leaders of a new session with another program
/// - processes with another terminal or account
/// - parts of the desktop (a bus, an agent for keys)
package struct ProcessFamily: Sendable {
    /// Upper bound on the number of processes. A larger family is not one app, and stopping it would take too long.
    package static let membersMax = 4_096

    package let app: String
    /// The processes of the app's windows that still exist.
    package let roots: [ProcessEntry]
    package private(set) var members: [Int32: ProcessEntry] = [:]
    /// The unit that contains all processes of the app's windows.
    package let scope: AppScope?
    package let isTooLarge: Bool

    /// The members in an order in which each process comes after its parent.
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
        facts: PauseExemptionFacts = PauseExemptionFacts(),
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
        let kin = FamilyMembership(
            view: view,
            facts: facts,
            app: app,
            account: account,
            cgroups: cgroups,
            scope: scope
        )
        if let scope, scope.isMade(for: app), let inside = tree?.members(scope.cgroup) {
            for entry in inside.sorted().compactMap({ view[$0] }) where kin.mayBeInScope(entry) {
                found.add(entry)
            }
        }
        found.addDescendants(kin)
        found.addScopeMembers(kin)
        members = found.members
        isTooLarge = found.isTooLarge
    }

    /// Collects the members, in the order of their discovery.
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

        mutating func addDescendants(_ kin: FamilyMembership) {
            while let parent = queue.popLast() {
                for child in kin.view.children(of: parent.pid) where members[child.pid] == nil {
                    if kin.isMember(child, of: parent) { add(child) }
                }
            }
        }

        /// Adds orphans: their parents have ended, but the leader of their group or session is a member.
        mutating func addScopeMembers(_ kin: FamilyMembership) {
            let orphans = kin.view.entries.values.filter { entry in
                members[entry.pid] == nil && !entry.hasEnded
                    && (members[entry.group] != nil || members[entry.session] != nil)
            }
            guard !orphans.isEmpty else { return }
            let homes = Set(members.values.compactMap(kin.home))
            let above = members.keys.reduce(into: Set<Int32>()) { $0.formUnion(kin.view.ancestors(of: $1)) }
            let loose = Set(orphans.map(\.pid))
            for entry in orphans.sorted(by: { $0.pid < $1.pid }) {
                // A parent that is a member was handled already. A parent that is an orphan comes earlier.
                let chain = kin.view.ancestors(of: entry.pid)
                guard chain.isDisjoint(with: members.keys), chain.isDisjoint(with: loose),
                    !above.contains(entry.pid), kin.home(entry).map(homes.contains) == true,
                    kin.isMember(entry, of: nil)
                else { continue }
                add(entry)
            }
            addDescendants(kin)
        }
    }
}

/// Decides whether a process belongs to an app or was started by it as something else.
struct FamilyMembership {
    let view: ProcessView
    let facts: PauseExemptionFacts
    let app: String
    let account: UInt32?
    /// The cgroups of the processes of the app's windows.
    let cgroups: Set<String>
    let scope: AppScope?

    /// `parent` is `nil` for an orphan.
    func isMember(_ entry: ProcessEntry, of parent: ProcessEntry?) -> Bool {
        guard isUnowned(entry), isInSameFolder(entry) else { return false }
        guard let parent else { return true }
        if entry.terminal != 0 && entry.terminal != parent.terminal { return false }
        // A daemon or another app is started in a session of its own. A helper there runs the same program again.
        let leads = entry.session == entry.pid && parent.session != entry.session
        return !leads || home(entry) == home(parent)
    }

    /// Excludes only processes that clearly belong to something else, because the unit was made for the app.
    func mayBeInScope(_ entry: ProcessEntry) -> Bool { isUnowned(entry) }

    private func isUnowned(_ entry: ProcessEntry) -> Bool {
        if entry.isKernel { return false }
        if let owners = facts.windowOwners[entry.pid], !owners.isEmpty {
            return owners.contains(app)
        }
        if facts.chromePids.contains(entry.pid) { return false }
        if ProcessFolder(entry.pid).account != account { return false }
        // A terminal is not excluded. It makes the whole family one that is never paused (`PauseExemptions`).
        return entry.programs.allSatisfy { program in
            ExemptPrograms.role(of: program).map { $0 == .terminal } ?? true
        }
    }

    private func isInSameFolder(_ entry: ProcessEntry) -> Bool {
        guard let cgroup = ProcessFolder(entry.pid).cgroup else { return cgroups.isEmpty }
        if AppScope(cgroup: cgroup) != scope { return false }
        return cgroups.contains { $0 == "/" || cgroup == $0 || cgroup.hasPrefix($0 + "/") }
    }

    /// Returns the value that processes of one app share: the folder of their programs, or the program itself if many programs
    /// share the folder.
    func home(_ entry: ProcessEntry) -> String? {
        guard let path = ProcessFolder(entry.pid).executable, let slash = path.lastIndex(of: "/") else {
            return nil
        }
        let folder = path[..<slash]
        let isCommon = ["/bin", "/sbin", "/games", "/libexec"].contains { folder.hasSuffix($0) }
        return isCommon ? ([path] + entry.programs).joined(separator: " ") : String(folder)
    }
}

/// A systemd unit that was made for one app: `app-gnome-firefox-1234.scope`, `snap.firefox.firefox-….scope`.
package struct AppScope: Sendable, Hashable {
    /// The path from the root of the hierarchy.
    package var cgroup: String
    package var unit: String

    /// Finds the innermost app unit of a process's cgroup. Returns `nil` if there is none.
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

    /// Returns true if the unit's name contains this app's ID.
    package func isMade(for app: String) -> Bool {
        let wanted = app.lowercased()
        let short = wanted.split(separator: ".").last.map(String.init) ?? wanted
        return names.contains {
            $0 == wanted || $0 == short || $0.split(separator: ".").last.map(String.init) == wanted
        }
    }

    /// Possible app IDs in the name: `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service`,
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
        // The name may contain a launcher, and an ID whose dashes were not escaped consists of several words.
        return words.indices.map { Self.plain(words[$0...].joined(separator: "-")) }
    }

    /// Converts `org.foo\x2dBar` to `org.foo-bar`.
    private static func plain(_ text: String) -> String { ScopeName.unescaped(text).lowercased() }
}
