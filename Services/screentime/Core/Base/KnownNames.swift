import STContracts
import STPlatform

/// The ids that an app can have on the command line.
enum InstalledApps {
    private static let pagesMax = 50

    /// A mistyped id would otherwise look like an app that never did anything.
    ///
    /// `line` is the command that was typed, without the id.
    static func check(_ app: String?, _ line: String, _ clients: ServiceClients) async throws {
        guard let app, app != BuiltInRules.app else { return }
        var ids: [String] = []
        var next: String?
        for _ in 0..<pagesMax {
            guard let page = try? await clients.call(AppList.self, .init(next: next), timeoutMs: 1_500) else {
                return
            }
            ids += page.apps.map(\.manifest.id)
            next = page.next
            if next == nil { break }
        }
        guard !ids.contains(app) else { return }
        let near = TextFormat.closest(to: app, in: ids)
        throw Problem(
            "app.not_found",
            "No app “\(app)” is installed" + (near.map { "; did you mean \($0)?" } ?? "."),
            help: near.map { "screentime \(line) \($0)" } ?? "screentime app list"
        )
    }
}

/// The names that `--member` can have.
enum KnownMembers {
    /// A mistyped name would otherwise look like somebody who did nothing all day.
    ///
    /// `line` is the command that was typed, without the name.
    static func check(_ name: String?, _ line: String, _ clients: ServiceClients) async throws {
        guard let name, let list = try? await clients.call(MemberList.self, Empty(), timeoutMs: 1_500) else {
            return
        }
        let names = list.members.map(\.name)
        guard !names.contains(name) else { return }
        let near = TextFormat.closest(to: name, in: names)
        throw Problem(
            "member.not_found",
            "Nobody here is called “\(name)”" + (near.map { "; did you mean \($0)?" } ?? "."),
            help: near.map { "screentime \(line) --member \($0)" } ?? "screentime member list"
        )
    }
}

/// The ids of apps that were used or are installed, for names as people type them.
struct KnownApps {
    /// Today's are enough: more would be read for every rule.
    private static let pagesMax = 4
    private static let cataloguePagesMax = 50

    var used: [String] = []
    /// As the desktop knows them; empty where it cannot be asked.
    var installed: [String] = []

    /// Nil when nobody can say which apps there are.
    static func ids(_ clients: ServiceClients) async -> KnownApps? {
        async let used = used(clients)
        async let installed = installed(clients)
        let known = await KnownApps(used: used, installed: installed)
        return known.used.isEmpty && known.installed.isEmpty ? nil : known
    }

    private static func used(_ clients: ServiceClients) async -> [String] {
        var ids: [String] = []
        var request = ReportDay.Request(by: .app)
        for _ in 0..<pagesMax {
            guard
                let page = try? await clients.call(
                    ReportDay.self,
                    request,
                    timeoutMs: SystemView.deadlineMs
                )
            else { break }
            ids += page.rows.map(\.name)
            guard let next = page.next else { break }
            request.next = next
        }
        return ids
    }

    private static func installed(_ clients: ServiceClients) async -> [String] {
        var ids: [String] = []
        var next: String?
        for _ in 0..<cataloguePagesMax {
            guard
                let page = try? await clients.call(
                    DesktopCatalogue.self,
                    .init(next: next),
                    timeoutMs: SystemView.deadlineMs
                )
            else { break }
            ids += page.apps.map(\.app)
            next = page.next
            if next == nil { break }
        }
        return ids
    }

    /// The item by the id that the desktop reports, and what to say about it.
    static func resolved(_ item: TokenItem, _ known: KnownApps) -> (item: TokenItem, remark: String?) {
        guard item.kind == .application, !known.used.contains(item.id), !known.installed.contains(item.id)
        else { return (item, nil) }
        let inUse = called(item.id, known.used)
        let same = inUse.isEmpty ? called(item.id, known.installed) : inUse
        if same.count == 1, let id = same.first {
            return (TokenItem(kind: .application, id: id), "\(item.id) is \(id) here.")
        }
        if same.count > 1 {
            let list = same.joined(separator: " or ")
            return (item, "\(item.id) could be \(list) here; name the one that you mean.")
        }
        let names = known.used.compactMap { $0.split(separator: ".").last.map(String.init) }
        guard let near = TextFormat.closest(to: item.id, in: known.used + names) else { return (item, nil) }
        return (item, "Nothing called \(item.id) was used today; did you mean \(near)?")
    }

    private static func called(_ name: String, _ ids: [String]) -> [String] {
        let wanted = name.lowercased()
        return ids.filter { id in
            id.lowercased() == wanted || id.split(separator: ".").last?.lowercased() == wanted
        }
    }
}
