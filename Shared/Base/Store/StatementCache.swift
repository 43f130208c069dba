/// The prepared statements of one connection, by their SQL.
///
/// Preparing costs more than running a short statement. The bound keeps SQL that was composed from input from filling
/// memory; 128 is far above what a service has.
struct StatementCache {
    static let capacity = 128

    private var statements: [String: Statement] = [:]
    private var uses = 0

    var count: Int { statements.count }

    /// A cached statement that nobody is stepping.
    mutating func idle(_ sql: String) -> Statement? {
        guard let statement = statements[sql], !statement.isBusy else { return nil }
        uses += 1
        statement.lastUse = uses
        return statement
    }

    /// Keeps a statement, unless the one of the same SQL is in use: then this is a passing second one.
    mutating func keep(_ statement: Statement, _ sql: String) {
        guard statements[sql] == nil else { return }
        if statements.count >= Self.capacity { dropOldest() }
        uses += 1
        statement.lastUse = uses
        statements[sql] = statement
    }

    mutating func removeAll() { statements.removeAll() }

    private mutating func dropOldest() {
        let idle = statements.filter { !$0.value.isBusy }
        guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        statements[oldest.key] = nil
    }
}
