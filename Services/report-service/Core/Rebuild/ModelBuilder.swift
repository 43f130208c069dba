import Glibc
package import STContracts
import STPlatform
import STStore

/// Makes the figures anew from the stream's events, in a file of their own.
///
/// It belongs to one thread. Nothing of it counts before it is taken over, so it is not synced to the disk.
package final class ModelBuilder {
    /// Marks the file, so that no other file is taken for one.
    private static let applicationID: Int32 = 0x5354_5242
    /// How many rows are added up before their sums are written.
    private static let rowsPerWrite = 20_000

    package private(set) var rows: Int64 = 0
    private let database: Database
    private var state = ReportState()
    private var waiting = 0

    package init(path: String) throws {
        ModelFile.remove(path)
        database = try Database(
            path: path,
            options: DatabaseOptions(synchronous: .off, applicationID: Self.applicationID)
        )
        try database.migrate(StoreMigrations.base + ReportTables.migrations + ReportTables.later)
    }

    /// In the order of the stream.
    package func take(_ events: [WireEvent]) throws {
        try database.transaction {
            for event in events {
                do {
                    try ReportFollowing.fold(event, &state, database)
                } catch let problem as Problem where problem.code.hasPrefix("body.") {
                    // The live figures pass it over as well.
                    continue
                }
                if event.header.type == SegmentClosed.type { rows += 1 }
                if state.fold.book.isFull { try write() }
            }
            waiting += events.count
            if waiting >= Self.rowsPerWrite { try write() }
        }
    }

    /// Leaves a file that has everything up to a place in the stream.
    package func finish(_ head: StreamPoint) throws {
        try database.transaction {
            try write()
            try CursorTable(database).set(
                source: ServiceName.activity.rawValue,
                stream: StreamName.usage.rawValue,
                StreamPosition(epoch: head.epoch, sequence: head.sequence, id: head.id)
            )
        }
        // What is in the log is copied later with the file.
        try database.emptyLog()
    }

    package func close() throws { try database.close() }

    private func write() throws {
        try state.fold.write(database)
        waiting = 0
    }
}

/// The file in which a rebuild makes its figures, beside the service's own.
package enum ModelFile {
    package static func path(beside database: String) -> String { database + ".rebuild" }

    /// Also what a run has left that was killed in the middle.
    package static func remove(_ path: String) {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
