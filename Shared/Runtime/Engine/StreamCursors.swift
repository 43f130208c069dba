import STContracts
import STStore

/// The positions up to which a service has applied the streams that it follows.
///
/// The next commit with another change also saves the moved cursors. An event without effect therefore needs no commit of its
/// own, and does not delay the events that people wait for. An idle service saves its cursors after a short time. After a
/// crash, the service applies the events after the saved cursors again. These events still have no effect.
struct StreamCursors {
    /// Upper bound on the applied events that the saved cursors do not include. If a service that crashes is further behind,
    /// it may have to rebuild its data from a snapshot.
    static let unsavedMax = 500

    private let database: Database
    private let table: CursorTable
    private let streams: [(source: String, stream: String)]
    private var unsaved: [Int: StreamPosition] = [:]
    private var unsavedEvents = 0
    /// True if the last transaction contains the unsaved positions.
    private var isSaving = false
    /// `Database.changedRows` before the last commit.
    private var lastChangedRows: Int64 = -1

    init(_ database: Database, _ streams: [(source: String, stream: String)]) {
        self.database = database
        self.streams = streams
        table = CursorTable(database)
    }

    var hasUnsaved: Bool { !unsaved.isEmpty }

    func savedPosition(_ index: Int) throws -> StreamPosition? {
        try table.get(source: streams[index].source, stream: streams[index].stream)
    }

    /// Moves a cursor past events that were applied.
    mutating func advance(_ index: Int, past events: [WireEvent]) {
        guard let header = events.last?.header else { return }
        unsaved[index] = StreamPosition(epoch: header.epoch, sequence: header.sequence, id: header.id)
        unsavedEvents += events.count
    }

    /// Writes a cursor to the table, at the start and at the end of a rebuild.
    mutating func set(_ index: Int, _ position: StreamPosition) throws {
        unsaved[index] = nil
        try write(index, position)
    }

    private func write(_ index: Int, _ position: StreamPosition) throws {
        try table.set(source: streams[index].source, stream: streams[index].stream, position)
    }

    /// Saves the moved cursors if the commit contains other changes, if more than `unsavedMax` events are unsaved, or if
    /// `mustSave` is set. Runs before each commit.
    mutating func save(mustSave: Bool = false) throws {
        isSaving = mustSave || database.changedRows != lastChangedRows || unsavedEvents > Self.unsavedMax
        if isSaving {
            for (index, position) in unsaved { try write(index, position) }
        }
        lastChangedRows = database.changedRows
    }

    /// Runs after a successful commit.
    mutating func committed() {
        guard isSaving else { return }
        isSaving = false
        unsaved = [:]
        unsavedEvents = 0
    }
}
