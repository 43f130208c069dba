import STStore

/// What a simulated service keeps in memory; it must always equal what its tables say.
struct SimState: Sendable, Equatable {
    var rows: Int64 = 0
    var sum: Int64 = 0

    static func load(_ table: String) -> @Sendable (Database) throws -> SimState {
        { database in
            try database.first("SELECT count(*), coalesce(sum(n), 0) FROM \(table)") {
                SimState(rows: try $0.int(0), sum: try $0.int(1))
            } ?? SimState()
        }
    }

    mutating func add(_ item: Item) {
        rows += 1
        sum += item.n
    }
}
