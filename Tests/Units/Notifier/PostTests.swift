import STContracts
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STNotifierCore

@Suite("Content of notifications")
struct PostTests {
    private let bench: NotifierBench

    init() throws { bench = try NotifierBench() }

    private func refusal(
        actions: [NotifyAction]? = nil,
        values: [String: String]? = nil,
        urgency: NotifyUrgency? = nil
    ) throws -> Problem? {
        let request = NotifyPost.Request(
            app: "app",
            id: "a",
            title: "t",
            body: "b",
            values: values,
            actions: actions,
            urgency: urgency
        )
        return try bench.core.refusal(NotifyPost.self, request)
    }

    @Test("Placeholders in braces are replaced in one pass, and unknown ones are kept")
    func values() throws {
        let values = ["app": "{used}", "used": "<b>1h</b>", "left": "5m"]
        try bench.post("a", title: "{left} of {app}", body: "{used} {limit} {", values: values)
        try bench.post("b", title: "{left}", body: "{app}")

        let filled = try #require(try bench.notice("a"))
        #expect(filled.title == "5m of {used}")
        #expect(filled.body == "<b>1h</b> {limit} {")
        #expect(try bench.notice("b")?.title == "{left}")
        // The same text with other values is another notification.
        #expect(
            try bench.post("a", title: "{left} of {app}", body: "{used} {limit} {", values: values).outcome
                == .unchanged
        )
        #expect(
            try bench.post("a", title: "{left} of {app}", body: "{used}", values: values).outcome == .replaced
        )
    }

    @Test("A text that becomes too long through its values is cut at a whole character")
    func longValues() throws {
        let title = String(repeating: "{a}", count: 80)
        try bench.post("a", title: title, values: ["a": String(repeating: "한", count: 80)])

        let filled = try #require(try bench.notice("a")?.title)
        #expect(
            filled.utf8.count <= NotifyPost.titleBytesMax && filled.utf8.count > NotifyPost.titleBytesMax - 6
        )
        #expect(filled.hasSuffix("한…"))
    }

    @Test("Invalid values of placeholders are rejected")
    func badValues() throws {
        let many = Dictionary(uniqueKeysWithValues: (0...NotifyPost.valuesMax).map { ("k\($0)", "v") })

        #expect(try refusal(values: many)?.field == "/values")
        #expect(try refusal(values: ["": "v"])?.field == "/values")
        #expect(try refusal(values: ["a b": "v"])?.field == "/values")
        #expect(try refusal(values: ["a": "\u{1B}[2J"])?.field == "/values/a")
        #expect(try refusal(values: ["a": String(repeating: "v", count: 257)])?.field == "/values/a")
    }

    @Test("Invalid buttons and an unknown urgency are rejected")
    func badActions() throws {
        func actions(_ list: (String, String)...) -> [NotifyAction] {
            list.map { .init(id: $0.0, label: $0.1) }
        }

        #expect(try refusal(actions: actions(("1", "a"), ("2", "b"), ("3", "c"), ("4", "d"))) == nil)
        let five = actions(("1", "a"), ("2", "b"), ("3", "c"), ("4", "d"), ("5", "e"))
        #expect(try refusal(actions: five)?.field == "/actions")
        #expect(try refusal(actions: actions(("", "a")))?.field == "/actions/0/id")
        #expect(try refusal(actions: actions(("1", "a"), ("1", "b")))?.field == "/actions/1/id")
        #expect(try refusal(actions: actions(("default", "a")))?.field == "/actions/0/id")
        #expect(try refusal(actions: actions(("dismiss", "a")))?.field == "/actions/0/id")
        #expect(try refusal(actions: actions(("1", " ")))?.field == "/actions/0/label")
        #expect(try refusal(actions: actions(("1", "a\nb")))?.field == "/actions/0/label")
        let long = actions(("1", String(repeating: "x", count: 65)))
        #expect(try refusal(actions: long)?.field == "/actions/0/label")
        #expect(try refusal(urgency: .unknown)?.field == "/urgency")
    }

    @Test("Different buttons make a different notification, and an empty list equals none")
    func actions() throws {
        let buttons = [NotifyAction(id: "more", label: "<i>More</i>")]
        try bench.post("a", actions: buttons)

        #expect(try bench.post("a", actions: buttons).outcome == .unchanged)
        #expect(try bench.post("a").outcome == .replaced)
        #expect(try bench.post("a", actions: []).outcome == .unchanged)
        #expect(try bench.notice("a")?.actions == nil)
    }

    @Test("The list is filtered by state and number, and contains the state of the desktop")
    func list() throws {
        try bench.desktop(.absent, note: "There is none.")
        let first = try bench.post("a").number
        try bench.post("b")
        _ = try bench.core.ask(NotifyShown.self, .init(numbers: [first], via: .terminal))

        #expect(try bench.list(.init(state: .waiting)).map(\.id) == ["b"])
        #expect(try bench.list(.init(number: first)).map(\.id) == ["a"])
        #expect(try bench.list(.init(number: 99)).isEmpty)
        let reply = try bench.core.ask(NotifyList.self, .init())
        let note = Message(verbatim: "There is none.")
        #expect(reply.desktop == NotifyDesktop(state: .absent, note: note))
        #expect(reply.uncertain == 0)
        #expect(try bench.core.refusal(NotifyList.self, .init(state: .unknown))?.field == "/state")
    }

    @Test("A notification that an earlier version delivered is kept and not delivered again")
    func migrated() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("old.sqlite")
        let old = try Database(path: path, options: DatabaseOptions(synchronous: .off, applicationID: 1))
        try old.migrate([NotifierTables.migrations[0]])
        try old.run(
            """
            INSERT INTO notifications (app, member, id, title, body, cause, posted_ms)
            VALUES ('app', 'owner', 'a', 'Title', 'Body', 'cause', 1790000000000)
            """
        )
        try old.close()

        let database = try Database(path: path, options: DatabaseOptions(synchronous: .off, applicationID: 1))
        try database.migrate(NotifierTables.migrations)
        let page = try NotifierTables.page(.init(), waitingNote: nil, database: database)
        let notice = try #require(page.notifications.first)
        #expect(notice.state == .shown && notice.title == "Title" && notice.cause == "cause")
        #expect(notice.via == nil && notice.attempts == nil && notice.dueAt == nil)
        #expect(try NotifierTables.nextWaiting(except: [], database) == nil)
        try database.close()
    }
}
