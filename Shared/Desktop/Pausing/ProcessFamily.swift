/// The processes that are one app.
///
/// - The processes of its windows, and what those have started: renderers, helpers, a build in an editor.
/// - What one of them leads, although its own parent has died meanwhile, when it is the same program or lies beside it.
/// - Where systemd has a unit for this very app: all that is in it.
///
/// Never up: whoever started the app (a launcher, a panel, a shell) is no part of it. Nor is what an app started as
/// something else: what has windows of another app, lies in another app's unit, leads a session of its own with another
/// program, has another terminal or account, or is a part of the desktop (a bus, an agent for keys).
package struct ProcessFamily: Sendable {
    /// More is no app, and would take too long to hold.
    package static let membersMax = 4_096

    package let app: String
    /// Of its windows, those that are there.
    package let roots: [ProcessEntry]
    package private(set) var members: [Int32: ProcessEntry] = [:]
    /// The unit in which all its windows' processes are.
    package let scope: AppScope?
    package let isTooLarge: Bool

    /// Whoever started another comes before it.
    package var parentsFirst: [ProcessEntry] {
        members.values.map { ($0, view.depth(of: $0.pid)) }.sorted { ($0.1, $0.0.pid) < ($1.1, $1.0.pid) }
            .map(\.0)
    }

    let view: ProcessView
    private let facts: NeverFacts
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
        self.facts = facts
        roots = Set(pids).sorted().compactMap { view[$0] }.filter { !$0.hasEnded }
        account = roots.first.flatMap { ProcessDetails.account($0.pid) }
        let places = roots.map { ProcessDetails.cgroup($0.pid) }
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
