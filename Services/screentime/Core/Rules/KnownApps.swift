import STContracts
import STPlatform

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
