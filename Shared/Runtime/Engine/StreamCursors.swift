import STContracts
import STStore

/// How far a service has applied the streams that it follows.
///
/// A cursor is saved in the commit of the first change after it, and not alone: after a crash, events that changed nothing are
/// applied once more and change nothing. A commit for each of them would delay the events that people wait for.
struct StreamCursors {
    /// A service that is further behind may have to build everything anew.
    static let unsavedMax = 500

    private let database: Database
    private let table: CursorTable
    private let streams: [(source: String, stream: String)]
    private var moved: [Int: StreamPosition] = [:]
    private var unsaved = 0
    /// `changedRows` at the end of the last commit.
    private var savedRows: Int64 = -1

    init(_ database: Database, _ streams: [(source: String, stream: String)]) {
        self.database = database
        self.streams = streams
        table = CursorTable(database)
    }

    func saved(_ index: Int) throws -> StreamPosition? {
        try table.get(source: streams[index].source, stream: streams[index].stream)
    }

    /// Moves a cursor past events that were applied.
    mutating func move(_ index: Int, past events: [WireEvent]) {
        guard let header = events.last?.header else { return }
        moved[index] = StreamPosition(epoch: header.epoch, sequence: header.sequence, id: header.id)
        unsaved += events.count
    }

    /// Sets a cursor at the start or the end of a rebuild.
    mutating func set(_ index: Int, _ position: StreamPosition) throws {
        moved[index] = nil
        try table.set(source: streams[index].source, stream: streams[index].stream, position)
    }

    /// Runs before each commit: saves the cursors that moved, if the commit contains other changes or `mustSave` is set.
    mutating func save(mustSave: Bool = false) throws {
        if mustSave || database.changedRows != savedRows || unsaved > Self.unsavedMax {
            for (index, position) in moved { try set(index, position) }
            unsaved = 0
        }
        savedRows = database.changedRows
    }
}
