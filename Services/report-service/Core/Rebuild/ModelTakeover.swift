import STContracts
package import STEngine
import STPlatform
import STStore

/// The end of a rebuild, on the thread of the service's database.
///
/// The follower goes on all the while. What it applies once the rebuild says `ready` is kept, so that it can be put on
/// top of the new figures in the very transaction that takes them over; the cursor then is where it was. After a
/// kill the tables hold the old figures or the new, with the cursor that belongs to them.
package enum ModelTakeover {
    /// A rebuild reads on where more has come in between.
    private static let tailMax = 10_000
    /// The schema of the new file while it is attached.
    private static let name = "built"

    /// How far figures are.
    package struct Reach: Sendable {
        package var epoch: String
        package var sequence: Int64

        package init(epoch: String, sequence: Int64) {
            self.epoch = epoch
            self.sequence = sequence
        }
    }

    /// Before the end of a rebuild: keeps what is applied from here on, until the new figures have taken it over.
    ///
    /// Returns how far the present figures are; the new ones must come as far.
    package static func ready(_ state: inout ReportState, _ change: StoreTransaction) throws -> Reach {
        guard let cursor = try cursor(change.database, in: "main"), !cursor.epoch.isEmpty else {
            throw Problem(
                "report.not_followed",
                "The figures are already being built from the usage stream. Try again when that is done.",
                retryable: true
            )
        }
        state.tail = []
        state.tailFrom = cursor.sequence
        return Reach(epoch: cursor.epoch, sequence: cursor.sequence)
    }

    /// Detaches the file that was taken over, also after a rebuild that failed.
    package static func end(_ state: inout ReportState, _ change: StoreTransaction) throws {
        state.tail = nil
        try letGo(change.database)
    }

    static func keep(_ event: WireEvent, _ state: inout ReportState) {
        guard let tail = state.tail else { return }
        // Too many: the takeover finds no tail, and the rebuild reads on.
        if tail.count < tailMax { state.tail?.append(event) } else { state.tail = nil }
    }

    /// Puts the new figures in the place of the old ones.
    ///
    /// False: more has happened than was kept, or the stream is another one; the new figures must read on.
    package static func take(_ built: Reach, _ state: inout ReportState, _ change: StoreTransaction) throws
        -> Bool
    {
        let database = change.database
        guard let tail = state.tail, let now = try cursor(database, in: "main") else { return false }
        state.tail = nil
        let rest = tail.filter { $0.header.sequence > built.sequence }
        // Every one that the new figures lack must be there, or they would lack it for good. Unreadable
        // ones are not: no figures have them.
        guard built.epoch == now.epoch,
            (state.tailFrom...max(now.sequence, state.tailFrom)).contains(built.sequence)
        else { return false }
        try letGo(database)
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
        for event in rest { try ReportFollowing.fold(event, &state, database) }
        try state.fold.write(database)
        return true
    }

    private static func letGo(_ database: Database) throws {
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
