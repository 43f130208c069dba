import Glibc
import STPlatform
import STStore
import STTestSupport
import Testing

@Suite("Records that another program removes")
struct LossTests {
    /// Differences between the history of a log and its subscriber's.
    private enum Change: CaseIterable {
        case none, restarted, renewed, redacted, trimmed, older, olderAndOn, other
    }

    @Test(
        "Lost records are detected by the subscriber's position in the log, and by nothing else",
        arguments: [1, 2, 3, 4]
    )
    func property(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for round in 0..<50 {
            let scratch = try ScratchDirectory()
            let kept = random.number(0...20)
            let more = random.number(1...20)
            let change = Change.allCases[random.number(0...Change.allCases.count - 1)]
            var (database, log) = try scratch.log(["usage"])
            try append(kept, log: log, database: database)
            try database.backup(to: scratch.file("older.db"))
            try append(more, log: log, database: database)
            let place = random.number(1...kept + more)
            let page = try log.since(
                "usage",
                position: StreamPosition(epoch: try log.head("usage").epoch, sequence: 0),
                limit: 100,
                byteLimit: 100_000
            )
            let position = page.events[place - 1].position
            var on = 0
            switch change {
            case .none: break
            case .restarted:
                try database.close()
                database = try scratch.open()
            case .renewed: try database.transaction { try log.renew("usage") }
            case .redacted:
                try database.transaction {
                    _ = try log.redact("usage", subject: "s\(place % 3)", as: "gone", timeMs: 5)
                    try log.renew("usage")
                }
            case .trimmed: try database.transaction { _ = try log.trim("usage", keep: 1) }
            case .older, .olderAndOn:
                try database.close()
                database = try scratch.open("older.db")
                if change == .olderAndOn { on = random.number(1...30) }
            case .other:
                try database.close()
                (database, log) = try scratch.log(["usage"], name: "other.db")
                on = random.number(0...30)
            }
            log = EventLog(database)
            try append(on, log: log, database: database)

            let told = lost(position, log)
            let isGone = [.older, .olderAndOn].contains(change) ? place > kept : change == .other
            let isTail = change != .other && place > kept + on
            let wanted = isGone ? (isTail ? "tail" : "other") : nil
            #expect(
                told == wanted,
                "seed \(seed), round \(round): \(change), \(place) of \(kept) + \(more), \(on) on"
            )
            try database.close()
        }
    }

    private func append(_ count: Int, log: EventLog, database: Database) throws {
        try database.transaction {
            for _ in 0..<count {
                let number = try log.head("usage").sequence + 1
                _ = try log.append(
                    EventDraft(
                        stream: "usage",
                        id: Identifier.make(wallMs: number),
                        type: "t",
                        timeMs: number,
                        subject: "s\(number % 3)",
                        body: Array("{}".utf8)
                    )
                )
            }
        }
    }

    private func lost(_ position: StreamPosition, _ log: EventLog) -> String? {
        do {
            _ = try log.since("usage", position: position, limit: 1, byteLimit: 1_000)
            return nil
        } catch {
            return (error as? Problem)?.details["lost"]
        }
    }

    // MARK: - Files

    private enum Trouble: String, CaseIterable {
        case removed, renamed, replaced, logRemoved, folderRemoved, folderRenamed
    }

    @Test(
        "A removed or replaced database is detected, and saved while its file is open",
        arguments: Trouble.allCases
    )
    private func saved(trouble: Trouble) throws {
        let scratch = try ScratchDirectory()
        let folder = scratch.file("service")
        try Directories.prepare(folder)
        let path = folder + "/test.db"
        let options = DatabaseOptions(applicationID: ScratchDirectory.applicationID)
        let database = try Database(path: path, options: options)
        try database.migrate([ScratchDirectory.notes])
        try note("before", database)
        #expect(database.findDamage() == nil)
        try make(trouble, path: path, folder: folder)
        #expect(database.findDamage() == .replaced)
        // SQLite acknowledges the write into the removed file.
        try note("after", database)
        try database.save()

        let saved = try Database(path: path, options: options)
        #expect(try saved.query("SELECT text FROM notes") { try $0.text(0) } == ["before", "after"])
        #expect(saved.findDamage() == nil)
        if trouble == .replaced {
            let aside = try DirectoryTree.names(in: folder).filter {
                $0.contains(".replaced-") && !$0.hasSuffix("-wal")
            }
            #expect(aside.count == 1)
        }
    }

    private func make(_ trouble: Trouble, path: String, folder: String) throws {
        switch trouble {
        case .removed: unlink(path)
        case .renamed: rename(path, path + "-elsewhere")
        case .replaced:
            try AtomicFile.write(Array("something else".utf8), to: path)
        case .logRemoved: unlink(path + "-wal")
        case .folderRemoved: try DirectoryTree.remove(folder)
        case .folderRenamed: rename(folder, folder + "-elsewhere")
        }
    }

    @Test("A truncated database file or log is detected", arguments: ["", "-wal"])
    func cut(part: String) throws {
        let scratch = try ScratchDirectory()
        let database = try scratch.migrated()
        for number in 0..<50 { try note("\(number)", database) }
        if part.isEmpty { try database.emptyLog() }
        #expect(database.findDamage() == nil)
        let path = database.path + part
        #expect(truncate(path, Int(size(path)) - 1) == 0)
        #expect(database.findDamage() == .cut)
    }

    @Test("Rewriting its own file or emptying its log is not detected as a loss")
    func ownWork() throws {
        let scratch = try ScratchDirectory()
        let database = try scratch.migrated()
        for round in 0..<20 {
            for number in 0..<100 { try note(String(repeating: "x", count: number * 20), database) }
            #expect(database.findDamage() == nil)
            if round % 3 == 0 { try database.transaction { try database.run("DELETE FROM notes") } }
            if round % 4 == 1 { try database.scrub() }
            if round % 5 == 2 { try database.emptyLog() }
            database.checkpointIfIdle()
            #expect(database.findDamage() == nil, "round \(round)")
        }
        try database.close()
    }

    private func note(_ text: String, _ database: Database) throws {
        try database.transaction { try database.run("INSERT INTO notes VALUES (1, ?)", [.text(text)]) }
    }

    private func size(_ path: String) -> Int64 {
        var info = stat()
        return stat(path, &info) == 0 ? Int64(info.st_size) : 0
    }
}
