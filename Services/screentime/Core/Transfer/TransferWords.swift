/// What the lines of an export are called.
enum TransferWords {
    static func name(_ kind: ExportLine.Kind, _ count: Int64) -> String {
        let (one, more) =
            switch kind {
            case .device: ("other device", "other devices")
            case .member: ("person", "people")
            case .category: ("moved app or site", "moved apps and sites")
            case .list: ("part of a list of sites", "parts of lists of sites")
            case .rule: ("rule", "rules")
            case .allowed: ("list of what is always allowed", "lists of what is always allowed")
            case .store: ("store of an app", "stores of apps")
            case .usage: ("stretch of time", "stretches of time")
            case .notified: ("count of notifications", "counts of notifications")
            case .notification: ("notification of ours", "notifications of ours")
            case .request: ("request for more time", "requests for more time")
            }
        return count == 1 ? one : more
    }
}
