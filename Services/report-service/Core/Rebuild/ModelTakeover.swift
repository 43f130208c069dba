import STContracts
package import STEngine
import STPlatform
import STStore

/// The end of a rebuild, on the thread of the service's database.
///
/// The follower continues meanwhile. The events that it applies after `ready` are kept. The transaction that takes over the new
/// figures adds these events, so the cursor does not change. After a kill, the tables contain the old figures or the new ones,
/// with the matching cursor.
package enum ModelTakeover {
    /// Upper bound on the kept events. Beyond it, the rebuild continues reading.
    private static let tailMax = 10_000
    /// The schema name of the new file while it is attached.
    private static let name = "built"

    /// The position of figures in the stream.
    package struct ModelPosition: Sendable {
        package var epoch: String
        package var sequence: Int64

        package init(epoch: String, sequence: Int64) {
            self.epoch = epoch
            self.sequence = sequence
        }
    }

    /// Prepares the end of a rebuild: from now on, applied events are kept for the new figures.
    ///
    /// Returns the position of the present figures, which the new ones must reach.
    package static func prepare(_ state: inout ReportState, _ change: StoreTransaction) throws
        -> ModelPosition
    {
        guard let cursor = try cursor(change.database, in: "main"), !cursor.epoch.isEmpty else {
            throw Problem(
                "report.not_followed",
                "The figures are already being built from the usage stream. Try again when that is done.",
                retryable: true
            )
        }
        state.tail = []
        state.tailFrom = cursor.sequence
        return ModelPosition(epoch: cursor.epoch, sequence: cursor.sequence)
    }

    /// Detaches the file of a rebuild, also after a failure.
    package static func end(_ state: inout ReportState, _ change: StoreTransaction) throws {
        state.tail = nil
        try detach(change.database)
    }

    static func buffer(_ event: WireEvent, _ state: inout ReportState) {
        guard let tail = state.tail else { return }
        // If there are too many, the takeover finds no tail, and the rebuild continues reading.
        if tail.count < tailMax { state.tail?.append(event) } else { state.tail = nil }
    }

    /// Replaces the old figures by the new ones.
    ///
    /// Returns false if more events arrived than were kept, or if the stream is a different one. The rebuild must then continue
    /// reading.
    package static func adopt(_ built: ModelPosition, state: inout ReportState, change: StoreTransaction)
        throws
        -> Bool
    {
        let database = change.database
        guard let tail = state.tail, let now = try cursor(database, in: "main") else { return false }
        state.tail = nil
        let rest = tail.filter { $0.header.sequence > built.sequence }
        // The tail must contain every event that the new figures lack, because these would be lost. Unreadable events are in no
        // figures.
        guard built.epoch == now.epoch,
            (state.tailFrom...max(now.sequence, state.tailFrom)).contains(built.sequence)
        else { return false }
        try detach(database)
        try database.run("ATTACH ? AS \(name)", [.text(ModelFile.path(beside: database.path))])
        guard let found = try cursor(database, in: name), found == (built.epoch, built.sequence) else {
            throw Problem(
                "report.rebuild_lost",
                "The rebuilt figures are not in the file to which they were written. Try again."
            )
        }
        for table in UsageTables.all {
            try database.run("DELETE FROM main.\(table)")
            try database.run("INSERT INTO main.\(table) SELECT * FROM \(name).\(table)")
        }
        let facts = state.facts
        var taken = try ReportFollowing.load(database)
        taken.facts = facts
        state.fold = taken.fold
        state.devices = taken.devices
        for event in rest { try ReportFollowing.fold(event, state: &state, database: database) }
        try state.fold.write(database)
        return true
    }

    private static func detach(_ database: Database) throws {
        let names = try database.query("PRAGMA database_list") { try $0.text(1) }
        if names.contains(name) { try database.run("DETACH \(name)") }
    }

    private static func cursor(_ database: Database, in schema: String) throws -> (
        epoch: String, sequence: Int64
    )? {
        try database.first(
            "SELECT epoch, sequence FROM \(schema).cursors WHERE source = ? AND stream = ?",
            [.text(ServiceName.activity.rawValue), .text(StreamName.usage.rawValue)]
        ) { (try $0.text(0), try $0.int(1)) }
    }
}
