import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("notification list", .timeLimit(.minutes(5)))
struct NotificationCommandTests {
    /// What the notifier of a test holds, newest first, and how often it was asked.
    private final class History: Sendable {
        private let pages: Mutex<(asked: Int, pages: [[PostedNotification]])>

        init(_ pages: [[PostedNotification]]) { self.pages = Mutex((0, pages)) }

        var asked: Int { pages.withLock { $0.asked } }

        /// The last page is given again for ever.
        func answer(_ route: String) throws -> [UInt8] {
            guard route == NotifyList.name else { throw Problem("route.not_found", verbatim: route) }
            let rows = pages.withLock { state in
                state.asked += 1
                return state.pages.count > 1 ? state.pages.removeFirst() : state.pages[0]
            }
            return try NotifyList.Reply(notifications: rows, next: nil).encodedBody()
        }
    }

    private static func posted(
        _ number: Int64,
        _ title: String,
        body: String = "",
        app: String = BuiltInRules.app,
        member: String = "kid"
    ) -> PostedNotification {
        PostedNotification(
            number: number,
            app: app,
            member: member,
            id: "n\(number)",
            title: title,
            body: body,
            cause: nil,
            postedAt: "2026-11-20T17:00:00.000Z"
        )
    }

    private static func event(_ posted: PostedNotification, sequence: Int64) throws
        -> (topic: String, header: [UInt8], body: [UInt8])
    {
        let header = EventHeader(
            id: "e\(sequence)",
            source: "/d/notifier",
            type: NotificationPosted.type,
            timeMs: 0,
            subject: "a/kid",
            schema: 1,
            stream: .notification,
            epoch: "e",
            sequence: sequence,
            traceparent: nil,
            cause: nil
        )
        return (NotificationPosted.type, header.encoded(), try posted.encodedBody())
    }

    private func run(
        _ line: [String],
        _ history: History,
        publishing: [(topic: String, header: [UInt8], body: [UInt8])] = []
    ) async throws -> (ExitCode, CommandOutput) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let directories = Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        let service = try FakeService(.notifier, publishing: publishing) { route, _ in
            try history.answer(route)
        }
        try await service.start(directories)
        let result = await CommandOutput.run(["notification", "list"] + line, in: scratch.path)
        await service.stop()
        return result
    }

    private func titles(_ output: CommandOutput) throws -> [String?] {
        try output.standard.split(separator: "\n").map {
            try JSONOutput.value(Array($0.utf8))["title"]?.string
        }
    }

    @Test("`notification list` shows the text, member and app of each notification, newest first")
    func list() async throws {
        let history = History([
            [
                Self.posted(2, "Well done", body: "Two lines\nof words", app: "org.example.promise"),
                Self.posted(1, "30m of firefox is used up", body: "You promised"),
            ]
        ])

        let (code, output) = try await run([], history)

        #expect(code == .done)
        let lines = output.standard.split(separator: "\n").map(String.init)
        #expect(lines[0].contains("newest first"))
        #expect(lines[1].hasSuffix("  Well done  (kid, from Promise)"))
        #expect(lines[2].trimmingSpaces == "Two lines")
        #expect(lines[3].trimmingSpaces == "of words")
        #expect(lines[4].hasSuffix("  30m of firefox is used up  (kid)"))
    }

    private static func standing(
        _ number: Int64,
        state: NotifyState,
        change: (inout PostedNotification) -> Void = { _ in }
    )
        -> PostedNotification
    {
        var posted = posted(number, "Title \(number)")
        posted.state = state
        change(&posted)
        return posted
    }

    @Test("`notification list` shows states and notes of notifications, and that no desktop is available")
    func states() async throws {
        let buttons = [NotifyAction(id: "more", label: "15 more minutes")]
        let rows = [
            Self.standing(6, state: .scheduled) { $0.dueAt = "2026-11-21T12:00:00.000Z" },
            Self.standing(5, state: .waiting) {
                $0.actions = buttons
                $0.note = Message(verbatim: "Waiting for a desktop: There is none.")
            },
            Self.standing(4, state: .failed) {
                $0.attempts = 5
                $0.note = Message(verbatim: "It does not show it.")
            },
            Self.standing(3, state: .uncertain),
            Self.standing(2, state: .answered) {
                $0.actions = buttons
                $0.answer = NotifyAnswered(action: "more", wallMs: 0, via: .desktop)
            },
            Self.standing(1, state: .shown) { $0.via = .terminal },
        ]
        let desktop = NotifyDesktop(state: .absent, note: Message(verbatim: "There is none."))
        let reply = NotifyList.Reply(notifications: rows, next: nil, desktop: desktop, uncertain: 1)

        let (_, output) = try await run([], answering: reply)

        let lines = output.standard.split(separator: "\n").map { String($0).trimmingSpaces }
        #expect(lines.contains { $0.hasPrefix("#6  scheduled for 2026-11-21 ") })
        #expect(lines.contains("#5  waiting to be shown  [more] 15 more minutes"))
        #expect(!lines.contains { $0.hasPrefix("Waiting for a desktop") }, "that stands below, once")
        #expect(lines.contains("#4  could not be shown, attempt 5"))
        #expect(lines.contains("It does not show it."))
        #expect(lines.contains("#3  may or may not have been seen"))
        #expect(lines.contains("#2  answered “15 more minutes” on the desktop"))
        #expect(lines.contains("#1  shown in a terminal"))
        #expect(lines.contains("No desktop is available to show notifications. There is none."))
        #expect(lines.contains { $0.contains("--state uncertain") })
        #expect(
            lines.last == "→ To see notifications in a terminal, run: screentime notification list --follow"
        )
    }

    private func run(_ line: [String], answering reply: NotifyList.Reply) async throws -> (
        ExitCode, CommandOutput
    ) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let directories = Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        let service = try FakeService(.notifier) { route, _ in
            guard route == NotifyList.name else { throw Problem("route.not_found", verbatim: route) }
            return try reply.encodedBody()
        }
        try await service.start(directories)
        let result = await CommandOutput.run(["notification", "list"] + line, in: scratch.path)
        await service.stop()
        return result
    }

    @Test("An unknown state and an invalid notification number are usage problems")
    func mistakes() async throws {
        let (code, output) = try await run(["--state", "lost"], History([[]]))
        let show = await CommandOutput.run(["notification", "show", "x"], in: "/nowhere")
        let answer = await CommandOutput.run(["notification", "answer", "0", "more"], in: "/nowhere")

        #expect(code == .usage && output.error.contains("uncertain"))
        #expect(show.0 == .usage && show.1.error.contains("“x” is not a notification number"))
        #expect(answer.0 == .usage)
    }

    @Test("`notification list --follow` omits scheduled notifications")
    func notYet() async throws {
        let history = History([[Self.standing(1, state: .scheduled)]])
        var changed = try Self.event(Self.standing(2, state: .scheduled), sequence: 2)
        changed.topic = NotificationChanged.type
        var header = try #require(EventHeader.read(changed.header))
        header.type = NotificationChanged.type
        changed.header = header.encoded()
        let events = [changed, try Self.event(Self.posted(3, "three"), sequence: 3)]

        let (_, output) = try await run(
            ["--follow", "--count", "1", "--for", "20s"],
            history,
            publishing: events
        )

        #expect(output.standard.contains("three") && !output.standard.contains("Title"))
    }

    @Test("`notification list` omits control characters of titles and texts")
    func harmless() async throws {
        let history = History([[Self.posted(1, "a\u{1B}[2J", body: "b\u{9B}c")]])

        let (_, output) = try await run([], history)

        #expect(!output.standard.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
    }

    @Test("`notification list` without notifications prints a message, or an empty list with --json")
    func empty() async throws {
        let (_, output) = try await run([], History([[]]))
        let (code, json) = try await run(["--json"], History([[]]))

        #expect(output.standard.contains("There are no notifications yet."))
        #expect(code == .done)
        #expect(try JSONOutput.value(Array(json.standard.utf8)) == ["notifications": []])
    }

    @Test("`notification list --follow` shows existing notifications, then each new one once, in order")
    func follow() async throws {
        let all = [Self.posted(3, "three"), Self.posted(2, "two"), Self.posted(1, "one")]
        let history = History([Array(all[1...]), all])
        let events = try [Self.event(all[0], sequence: 3), Self.event(Self.posted(4, "four"), sequence: 4)]

        let (code, output) = try await run(
            ["--follow", "--count", "2", "--for", "20s", "--json"],
            history,
            publishing: events
        )

        #expect(code == .done)
        #expect(try titles(output) == ["one", "two", "three", "four"])
        // The second time because nothing was known of the stream yet; what followed without a gap was not asked for.
        #expect(history.asked == 2)
    }

    @Test("`notification list --follow` shows notifications that are missing in the event stream")
    func gap() async throws {
        let all = [Self.posted(3, "three"), Self.posted(2, "two"), Self.posted(1, "one")]
        let history = History([[], [all[2]], all])
        let events = try [Self.event(all[2], sequence: 7), Self.event(all[0], sequence: 9)]

        let (_, output) = try await run(
            ["--follow", "--count", "3", "--for", "20s", "--json"],
            history,
            publishing: events
        )

        #expect(try titles(output) == ["one", "two", "three"])
    }

    @Test("`notification list --follow` with --app shows only notifications of that app")
    func filtered() async throws {
        let history = History([[]])
        let events = try [
            Self.event(Self.posted(1, "one", app: "a"), sequence: 1),
            Self.event(Self.posted(2, "two", app: "a"), sequence: 2),
            Self.event(Self.posted(3, "three", app: "b"), sequence: 3),
        ]

        let (_, output) = try await run(
            ["--follow", "--app", "b", "--count", "1", "--for", "20s"],
            history,
            publishing: events
        )

        #expect(output.standard.contains("three") && !output.standard.contains("two"))
    }

    @Test("`notification list --for` without --follow is rejected before a request is sent")
    func usage() async throws {
        let history = History([[]])

        let (code, output) = try await run(["--for", "10s"], history)

        #expect(code == .usage)
        #expect(output.error.contains("--follow"))
        #expect(history.asked == 0)
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
