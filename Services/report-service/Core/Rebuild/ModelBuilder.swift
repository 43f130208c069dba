import Glibc
package import STContracts
import STPlatform
import STStore

/// Rebuilds the figures from the stream's events, in a separate file.
///
/// A builder belongs to one thread. The file is not synced to the disk, because it has no value before the takeover.
package final class ModelBuilder {
    /// Marks the file, so that no other file is mistaken for one.
    private static let applicationID: Int32 = 0x5354_5242
    /// Number of events after which the sums are written.
    private static let rowsPerWrite = 20_000

    package private(set) var rows: Int64 = 0
    private let database: Database
    private var state = ReportState()
    private var unwrittenRows = 0

    package init(path: String) throws {
        ModelFile.remove(path)
        database = try Database(
            path: path,
            options: DatabaseOptions(synchronous: .off, applicationID: Self.applicationID)
        )
        try database.migrate(StoreMigrations.base + ReportTables.migrations + ReportTables.later)
    }

    /// Adds events, in the order of the stream.
    package func apply(_ events: [WireEvent]) throws {
        try database.transaction {
            for event in events {
                do {
                    try ReportFollowing.fold(event, state: &state, database: database)
                } catch let problem as Problem where problem.code.hasPrefix("body.") {
                    // The live figures skip it as well.
                    continue
                }
                if event.header.type == SegmentClosed.type { rows += 1 }
                if state.fold.spans.isFull { try write() }
            }
            unwrittenRows += events.count
            if unwrittenRows >= Self.rowsPerWrite { try write() }
        }
    }

    /// Completes the file, with everything up to a place in the stream.
    package func finish(_ head: StreamPoint) throws {
        try database.transaction {
            try write()
            try CursorTable(database).set(
                source: ServiceName.activity.rawValue,
                stream: StreamName.usage.rawValue,
                StreamPosition(epoch: head.epoch, sequence: head.sequence, id: head.id)
            )
        }
        // The takeover copies the file without its log.
        try database.emptyLog()
    }

    package func close() throws { try database.close() }

    private func write() throws {
        try state.fold.write(database)
        unwrittenRows = 0
    }
}

/// The file of a rebuild, next to the service's own database.
package enum ModelFile {
    package static func path(beside database: String) -> String { database + ".rebuild" }

    /// Removes the file, also one of a run that was killed.
    package static func remove(_ path: String) {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
