import STBus
import STContracts
import STEngine
import STPlatform
import STStore
import Synchronization

/// A small service that adds, counts and publishes notes, and copies the notes of a neighbour.
enum Notebook {
    enum Add: Route {
        typealias Request = Note
        typealias Reply = Note

        static let name = "note.add"
        static let kind = RouteKind.write
        static let summary = "Adds a note."
    }

    enum Count: Route {
        typealias Request = Empty
        typealias Reply = Note

        static let name = "note.count"
        static let kind = RouteKind.query
        static let summary = "Counts the notes in the table."
    }

    enum Latest: Route {
        typealias Request = Empty
        typealias Reply = Note

        static let name = "note.latest"
        static let kind = RouteKind.read
        static let summary = "The newest note, from memory."
    }

    /// Asks a neighbour for the meaning of the text before it writes. The text "plain" needs no question.
    enum Explain: Route {
        typealias Request = Note
        typealias Reply = Note

        static let name = "note.explain"
        static let kind = RouteKind.write
        static let summary = "Adds a note with what a neighbour says about it."
    }

    enum Meaning: Route {
        typealias Request = Note
        typealias Reply = Note

        static let name = "neighbour.meaning"
        static let kind = RouteKind.read
        static let summary = "What a text means."
    }

    /// Asks the companion for an addition to the note.
    enum Embellish: Route {
        typealias Request = Note
        typealias Reply = Note

        static let name = "note.embellish"
        static let kind = RouteKind.write
        static let summary = "Adds a note with what the companion makes of it."
    }

    enum Flourish: Route {
        typealias Request = Note
        typealias Reply = Note

        static let name = "note.flourish"
        static let kind = RouteKind.write
        static let access: Access = []
        static let summary = "What the companion makes of a note."
    }

    /// Asks a neighbour for the meaning of a text, and writes nothing.
    enum Ponder: Route {
        typealias Request = Note
        typealias Reply = Note

        static let name = "note.ponder"
        static let kind = RouteKind.read
        static let summary = "What a neighbour says about a text."
    }

    /// Returns a secret that must not be stored.
    enum Whisper: Route {
        typealias Request = Note
        typealias Reply = Note

        static let name = "note.whisper"
        static let kind = RouteKind.write
        static let discardsReply = true
        static let summary = "Adds a note, and answers with a secret."
    }

    enum Added: EventType {
        typealias Body = Note

        static let stream = StreamName("notes")
        static let type = "notes.note.added"
        static let summary = "There is another note."
    }

    static let neighbour = StreamName("neighbour")

    /// The number of times that each text was read for `Explain`.
    static let readings = Mutex<[String: Int]>([:])

    static let definition = ServiceDefinition<[String]>(
        name: ServiceName("notebook"),
        migrations: [Migration(name: "notes", sql: "CREATE TABLE notes(text TEXT NOT NULL) STRICT")],
        streams: [Added.stream],
        load: { try $0.query("SELECT text FROM notes ORDER BY rowid") { try $0.text(0) } },
        routes: [
            .write(Add.self) { notes, note, _, change in
                try add(note.text, notes: &notes, change: change)
                if note.text.hasPrefix("refuse") { throw Problem("note.refused", "Not this one.") }
                if note.text == "large" { return Note(String(repeating: "x", count: 300_000)) }
                return Note(note.text, count: Int64(notes.count))
            },
            .write(
                Explain.self,
                reading: { note in
                    readings.withLock { $0[note.text, default: 0] += 1 }
                    return note
                },
                after: Meaning.self,
                of: .service(ServiceName("neighbour"))
            ) { note in
                if note.text == "senseless" { throw Problem("note.senseless", "This note makes no sense.") }
                return note.text == "plain" ? nil : note
            } _: { notes, note, meaning, _, change in
                try add(meaning?.text ?? note.text, notes: &notes, change: change)
                return Note(notes.last ?? "", count: Int64(notes.count))
            },
            .write(Embellish.self, reading: { $0 }, after: Flourish.self, of: .worker) {
                $0.text == "plain" ? nil : $0
            } _: { notes, note, made, _, change in
                try add(made?.text ?? note.text, notes: &notes, change: change)
                return Note(notes.last ?? "", count: Int64(notes.count))
            },
            .read(Ponder.self) { _, note, context in try context.prepared.reply(Meaning.self) ?? note }
                .after(
                    .of(Meaning.self, source: .service(ServiceName("neighbour")), for: Ponder.self) {
                        _,
                        note,
                        _ in
                        note
                    }
                ),
            .write(Whisper.self) { notes, note, _, change in
                try add(note.text, notes: &notes, change: change)
                return Note("secret \(notes.count)")
            },
            .query(Count.self) { _, _, _, database in
                Note("", count: try database.first("SELECT count(*) FROM notes") { try $0.int(0) })
            },
            .read(Latest.self) { notes, _, _ in Note(notes.last ?? "", count: Int64(notes.count)) },
        ],
        subscriptions: [
            Subscription(source: ServiceName("neighbour"), stream: neighbour) { notes, change in
                try change.database.run("DELETE FROM notes")
                notes = []
            } apply: { notes, event, change in
                let note = try Note.decodedBody(event.body)
                if note.text == "ignored" { return }
                try add(note.text, notes: &notes, change: change)
                if note.text == "unreadable" { throw Problem("body.invalid", "It cannot be read.") }
                if note.text == "impossible" { throw Problem("store.constraint", "It cannot be applied.") }
            } reached: {
                $0.append("(whole)")
            }
        ]
    )

    static func add(_ text: String, notes: inout [String], change: StoreTransaction) throws {
        notes.append(text)
        try change.database.run("INSERT INTO notes VALUES (?)", [.text(text)])
        try change.emit(Added.self, subject: text, Note(text))
    }
}
