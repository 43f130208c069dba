import STStore

/// The logs are kept from growing for ever, a little at a time.
extension StoreEngine {
    /// Subscribers that are further behind than this rebuild from a snapshot.
    private static var keptEvents: Int { 200_000 }
    /// So many new events lead to a look at as many old ones.
    private static var trimEvery: Int { 20_000 }

    /// Where the next look begins is kept in the database: a service that is often started would otherwise look at
    /// the same part of its log for ever.
    func trim(after count: Int) {
        eventsUntilTrim -= count
        guard count > 0, eventsUntilTrim < 0 else { return }
        eventsUntilTrim = Self.trimEvery
        // It can wait: what fails here, such as a full disk, is told by the next write.
        try? database.transaction {
            let meta = MetaTable(database)
            for stream in try log.heads().map(\.stream) {
                let place = "trim/\(stream)"
                let after = try meta.get(place).flatMap { Int64($0) } ?? 0
                let (_, through) = try log.trim(
                    stream,
                    keep: Self.keptEvents,
                    after: after,
                    window: Self.trimEvery
                )
                try meta.set(place, String(through))
            }
        }
    }
}
