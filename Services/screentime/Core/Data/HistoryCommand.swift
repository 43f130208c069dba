import Glibc
package import STContracts
import STPlatform

/// `screentime history`, and the commands that acknowledge lost records.
enum HistoryCommand {
    static let commands: [Command] = [
        Command(
            ["history"],
            "Lists changes, who made them, and events of Screen Time itself, newest first",
            options: [
                .init(
                    "--member",
                    value: "NAME",
                    summary: "only entries about this person",
                    key: "help.--member.only-what-concerns-this-person"
                ),
                .init(
                    "--count",
                    value: "N",
                    summary: "how many lines; 30 by default",
                    key: "help.--count.how-many-lines-30-by"
                ),
                .json,
            ],
            example: "screentime history --count 100"
        ) { try await list($0) },
        Command(
            ["data", "accept-loss"],
            "Accepts that missing records are lost permanently; on a child's computer, requires a guardian's passcode",
            subjects: [.init("REASON", "the reason, which stays in the history", key: "help.arg-why")],
            options: [ProofPrompt.option, .json],
            example: "screentime data accept-loss 'the disk was replaced'"
        ) { try await accept($0) },
    ]

    private static let countDefault = 30

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count") ?? countDefault
        let member = invocation.value("--member")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            var request = HistoryList.Request(member: member)
            var whole = HistoryList.Reply(lines: [], losses: [], next: nil)
            repeat {
                request.limit = Int64(count - whole.lines.count)
                let page = try await clients.call(HistoryList.self, request)
                whole.lines += page.lines
                whole.losses = page.losses
                request.next = page.next
            } while request.next != nil && whole.lines.count < count
            return whole
        }
        return try invocation.show(json: JSONOutput.pretty(try JSONOutput.value(of: reply))) {
            HistoryText.lines(reply, invocation.terminal)
        }
    }

    private static func accept(_ invocation: Invocation) async throws -> ExitCode {
        let why = invocation.subjects[0]
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await ProofPrompt(invocation).run { by, passcode in
                let request = HistoryAcceptLoss.Request(why: why, by: by, passcode: passcode)
                let reply = try await clients.callTyped(HistoryAcceptLoss.self, request)
                return (reply, reply.refusal)
            }
        }
        return try invocation.show(
            json: JSONOutput.pretty(try JSONOutput.value(of: reply)),
            text: reply.accepted == 0
                ? Speech.say(
                    "data.no-records-are-missing",
                    "No records are missing, so there was nothing to accept."
                )
                : Speech.say(
                    "data.accepted-the-history-keeps",
                    "Accepted. The history keeps a record of the loss and the reason."
                )
        )
    }
}

/// Formats lines of the history for people.
package enum HistoryText {
    package static func lines(_ reply: HistoryList.Reply, _ terminal: Terminal) -> [String] {
        var lines = losses(reply.losses, terminal)
        if !lines.isEmpty { lines.append("") }
        if reply.lines.isEmpty {
            lines.append(Speech.say("data.nothing-has-changed-yet", "Nothing has changed yet."))
        }
        for line in reply.lines {
            let mark = line.weight == .loosened || line.isOfRecords ? Terminal.Style.yellow : nil
            let moment = TimeText.text(WallTime(ms: line.wallMs))
            let margin = String(repeating: " ", count: moment.count)
            let room = max(20, terminal.columns - moment.count - 2)
            let text = TextWrap.lines(DisplayWidth.sanitized(line.text(in: Speech.language)), columns: room)
            for (index, part) in text.enumerated() {
                let words = mark.map { terminal.styled(part, $0) } ?? part
                lines.append((index == 0 ? moment : margin) + "  " + words)
            }
        }
        return lines
    }

    /// Describes the missing records and the remedy. Returns no lines if no records are missing.
    static func losses(_ losses: [HistoryLine], _ terminal: Terminal) -> [String] {
        guard !losses.isEmpty else { return [] }
        let remedy = Condition.recordsMissing(losses.map { message($0) })?.remedy
        let texts = losses.map { text($0) } + [remedy.map { Speech.say($0) }].compactMap(\.self)
        return texts.flatMap { TextWrap.lines($0, terminal) }.map { terminal.styled($0, .red) }
    }

    static func message(_ line: HistoryLine) -> Message { Message(verbatim: text(line)) }

    /// Returns a line, for example `Records of … are missing … between 2026-11-20 17:00 and 2026-11-21 09:00.`
    static func text(_ line: HistoryLine) -> String {
        let text = DisplayWidth.sanitized(line.text(in: Speech.language))
        guard let loss = line.loss, let end = loss.promisedWallMs else { return text }
        let gone = TimeText.text(WallTime(ms: end))
        guard let left = loss.keptWallMs.map({ TimeText.text(WallTime(ms: $0)) }) else {
            return text + " "
                + Speech.say(
                    "data.the-last-of-them",
                    "The last missing record was written at \(gone, "lost")."
                )
        }
        return text + " "
            + Speech.say(
                "data.the-last-of-them-and",
                """
                The last missing record was written at \(gone, "lost"), and the last remaining record at \
                \(left, "left").
                """
            )
    }
}

/// `screentime data restore`.
enum DataRestore {
    static let command = Command(
        ["data", "restore"],
        "Restores a backup while Screen Time is stopped; the current databases are renamed, not deleted",
        subjects: [
            .init(
                .folder,
                "the folder that `data backup` wrote",
                key: "help.arg-folder.the-folder-that-data-backup"
            )
        ],
        options: [.json],
        example: "screentime data restore ~/screentime-backup"
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        let places = try SystemPlaces(invocation)
        let directory = try FileTree.absolute(invocation.subjects[0])
        let found = (ServiceName.all + ServiceName.ofHousehold).filter {
            FileTree.exists("\(directory)/\($0).sqlite")
        }
        guard !found.isEmpty else {
            throw Problem(
                "restore.no_backup",
                """
                \(directory, "directory") contains no backup: it has no file such as \
                \(ServiceName.auth, "auth").sqlite.
                """,
                help: "screentime data backup FOLDER"
            )
        }
        for service in found {
            let lock = "\(places.directories.state)/\(service)/lock"
            guard let pid = InstanceLock.holder(path: lock) else { continue }
            throw Problem(
                "restore.running",
                """
                \(service, "service") is running as process \(pid, "pid"), so nothing was changed. Stop \
                Screen Time first.
                """,
                help: "screentime system down"
            )
        }
        // All files are checked before the first is written.
        for service in found { try check("\(directory)/\(service).sqlite") }
        for service in found {
            let path = places.directories.database(service: service.rawValue)
            try Directories.prepare(FileTree.parent(of: path))
            try copy("\(directory)/\(service).sqlite", to: path + ".restore")
        }
        // Without its key, a machine would join the household as another machine, and its usage would count twice.
        for service in found where ServiceName.ofHousehold.contains(service) {
            try AtomicFile.write([], to: places.directories.wantedFile(service: service.rawValue))
        }
        let missing = ServiceName.all.filter { !found.contains($0) }
        return invocation.show(
            json: JSONOutput.pretty([
                "restored": .array(found.map { .string($0.rawValue) }),
                "missing": .array(missing.map { .string($0.rawValue) }),
            ])
        ) {
            let left = missing.map(\.rawValue).joined(separator: ", ")
            let done = Speech.say(
                "data.put-back-for-services",
                """
                Services whose backup was copied: \(found.count, "count"). Screen Time uses the copies from \
                the next start: 
                """
            )
            return [done + "screentime system up"]
                + (missing.isEmpty
                    ? []
                    : [
                        Speech.say(
                            "data.not-in-the-backup",
                            "Not in the backup, and left as they are: \(left, "left")."
                        )
                    ])
        }
    }

    private static let headerBytes = 100

    /// Checks that the file is a complete database of Screen Time, by the type, the program and the length in its header.
    private static func check(_ path: String) throws {
        var about = stat()
        guard let header = head(of: path), header.count == headerBytes,
            stat(path, &about) == 0, header.starts(with: Array("SQLite format 3\0".utf8)),
            Array(header[68..<72]) == Array("STSv".utf8)
        else {
            throw Problem(
                "restore.not_ours",
                "\(path, "path") is not a database of Screen Time. Nothing was changed."
            )
        }
        func number(_ range: Range<Int>) -> Int64 { header[range].reduce(0) { $0 << 8 | Int64($1) } }
        let page = number(16..<18) == 1 ? 65_536 : number(16..<18)
        guard Int64(about.st_size) >= page * number(28..<32) else {
            throw Problem(
                "restore.cut",
                """
                \(path, "path") is shorter than its header states, so a part of it is missing. Nothing was \
                changed. Use another backup.
                """
            )
        }
    }

    private static func head(of path: String) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let file = OwnedDescriptor(number)
        return [UInt8](unsafeUninitializedCapacity: headerBytes) { buffer, count in
            count = max(0, read(file.number, buffer.baseAddress, headerBytes))
        }
    }

    /// Copies the file completely before it gets its name, because the service uses a file of that name when it starts.
    private static func copy(_ source: String, to target: String) throws {
        let partial = target + ".partial"
        unlink(partial)
        let (from, to) = (
            open(source, O_RDONLY | O_CLOEXEC), open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        )
        let number = errno
        let (input, output) = (from >= 0 ? OwnedDescriptor(from) : nil, to >= 0 ? OwnedDescriptor(to) : nil)
        guard let input, let output else { throw failure(source, target: target, number: number) }
        while true {
            let sent = sendfile(output.number, input.number, nil, 1 << 24)
            if sent == 0 { break }
            guard sent > 0 || errno == EINTR else { throw failure(source, target: target, number: errno) }
        }
        guard fsync(output.number) == 0, rename(partial, target) == 0 else {
            throw failure(source, target: target, number: errno)
        }
    }

    private static func failure(_ source: String, target: String, number: Int32) -> Problem {
        Problem(
            "restore.failed",
            """
            \(source, "source") could not be copied to \(target, "target"): \
            \(SystemError.text(number), "number"). Correct this and try again.
            """
        )
    }
}
