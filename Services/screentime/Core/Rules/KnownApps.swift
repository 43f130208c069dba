import STContracts
import STPlatform

/// The ids of apps that were used, for names as people type them.
enum KnownApps {
    /// Today's are enough: more would be read for every rule.
    private static let pagesMax = 4

    /// Nil when nobody can say which apps there are.
    static func ids(_ clients: ServiceClients) async -> [String]? {
        var ids: [String] = []
        var request = ReportDay.Request(by: .app)
        for _ in 0..<pagesMax {
            guard
                let page = try? await clients.call(
                    ReportDay.self,
                    request,
                    timeoutMs: SystemView.deadlineMs
                )
            else { return ids.isEmpty ? nil : ids }
            ids += page.rows.map(\.name)
            guard let next = page.next else { break }
            request.next = next
        }
        return ids
    }

    /// The item by the id that the desktop reports, and what to say about it.
    static func resolved(_ item: TokenItem, _ ids: [String]) -> (item: TokenItem, remark: String?) {
        guard item.kind == .application, !ids.isEmpty, !ids.contains(item.id) else { return (item, nil) }
        let wanted = item.id.lowercased()
        let same = ids.filter { id in
            id.lowercased() == wanted || id.split(separator: ".").last?.lowercased() == wanted
        }
        if same.count == 1, let id = same.first {
            return (TokenItem(kind: .application, id: id), "\(item.id) is \(id) here.")
        }
        if same.count > 1 {
            let list = same.joined(separator: " or ")
            return (item, "\(item.id) could be \(list) here; name the one that you mean.")
        }
        let names = ids.compactMap { $0.split(separator: ".").last.map(String.init) }
        guard let near = TextFormat.closest(to: item.id, in: ids + names) else { return (item, nil) }
        return (item, "Nothing called \(item.id) was used today; did you mean \(near)?")
    }
}
