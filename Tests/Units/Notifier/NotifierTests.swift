import STContracts
import STFollowing
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STNotifierCore

@Suite("Notifications")
struct NotifierTests {
    private let bench: CoreBench<NotifierState>

    init() throws {
        bench = try CoreBench(NotifierService.definition())
        try bench.follow(try Self.household)
    }

    private static var household: [WireEvent] {
        get throws {
            let members = [
                Member(name: "owner", role: .individual), Member(name: "kid", role: .child),
                Member(name: "teen", role: .child),
            ]
            return try members.enumerated().map { index, member in
                let subject = "member/\(member.name)"
                return try CoreBench<NotifierState>.event(
                    MemberAdded.self,
                    sequence: Int64(index + 1),
                    subject: subject,
                    body: member
                )
            }
        }
    }

    private func post(
        _ id: String,
        title: String = "Title",
        body: String = "Body",
        app: String = "app",
        member: String? = nil,
        key: String? = nil
    ) throws -> NotifyPost.Reply {
        let request = NotifyPost.Request(app: app, member: member, id: id, title: title, body: body)
        return try bench.ask(NotifyPost.self, request, key: key)
    }

    private func list(_ request: NotifyList.Request = .init()) throws -> [PostedNotification] {
        try bench.ask(NotifyList.self, request).notifications
    }

    private func refusal(_ request: NotifyPost.Request) throws -> Problem? {
        try bench.refusal(NotifyPost.self, request)
    }

    @Test("A posted notification is published and is in the history with its cause")
    func posted() throws {
        let request = NotifyPost.Request(
            app: "app",
            member: "kid",
            id: "n1",
            title: "30m are used up",
            body: "You promised",
            cause: "event-9"
        )

        let reply = try bench.ask(NotifyPost.self, request)

        let posted = try #require(try list().first)
        #expect(reply.outcome == .posted)
        #expect(posted.number == reply.number)
        #expect(posted.postedAt == reply.postedAt)
        #expect(posted.cause == "event-9")
        #expect(posted.member == "kid")
        #expect(try bench.events.map { try $0.decoded(NotificationPosted.self) } == [posted])
        #expect(bench.events.map(\.header.subject) == ["app/kid"])
    }

    @Test("Posting the same id again changes nothing, and a new text replaces the old one at the top")
    func oneOfAnId() throws {
        let first = try post("a")
        _ = try post("b")

        let same = try post("a")
        let other = try post("a", body: "Another body")

        #expect(same == .init(number: first.number, outcome: .unchanged, postedAt: first.postedAt))
        #expect(other.outcome == .replaced)
        #expect(try list().map(\.id) == ["a", "b"])
        #expect(try list().map(\.body) == ["Another body", "Body"])
        #expect(bench.events.count == 3)
    }

    @Test("The same id in two apps or for two people gives two notifications")
    func scopes() throws {
        let outcomes = try [
            post("a"), post("a", app: "other"), post("a", member: "kid"), post("a", member: "teen"),
        ].map(\.outcome)

        #expect(outcomes == [.posted, .posted, .posted, .posted])
        #expect(try list(.init(app: "app")).count == 3)
        #expect(try list(.init(member: "kid")).map(\.member) == ["kid"])
        #expect(try list(.init(app: "other", member: "kid")).isEmpty)
    }

    @Test("A repeated request returns its first reply, also after the text was replaced")
    func idempotent() throws {
        let first = try post("a", key: "k1")
        _ = try post("a", body: "later", key: "k2")

        #expect(try post("a", key: "k1") == first)
        #expect(try list().map(\.body) == ["later"])
    }

    @Test("The list is sorted newest first, and its pages contain each notification once")
    func pages() throws {
        for number in 0..<25 { _ = try post("n\(number)") }

        var ids: [String] = []
        var next: String?
        repeat {
            let page = try bench.ask(NotifyList.self, .init(next: next, limit: 10))
            ids += page.notifications.map(\.id)
            next = page.next
        } while next != nil

        #expect(ids == (0..<25).reversed().map { "n\($0)" })
    }

    @Test("A page of notifications is smaller than the limit of a reply")
    func pageBytes() throws {
        let body = String(repeating: "x", count: NotifyPost.bodyBytesMax)
        for number in 0..<150 { _ = try post("n\(number)", body: body) }

        let page = try bench.ask(NotifyList.self, .init())

        #expect(page.notifications.count < 150 && page.notifications.count > 50)
        #expect(try bench.ask(NotifyList.self, .init(next: page.next)).notifications.first?.id != nil)
    }

    @Test("An app with many notifications removes only its own old ones from the history")
    func keptPerApp() throws {
        _ = try post("quiet", app: "other")
        for number in 0..<(NotifierTables.keptPerAppMax + 3) { _ = try post("n\(number)") }

        #expect(try bench.ask(NotifyList.self, .init(app: "other")).notifications.count == 1)
        let count = try bench.database.first("SELECT count(*) FROM notifications WHERE app = 'app'") {
            try $0.int(0)
        }
        #expect(count == Int64(NotifierTables.keptPerAppMax))
        #expect(try list(.init(limit: 1)).first?.id == "n\(NotifierTables.keptPerAppMax + 2)")
        // A removed notification counts as new.
        #expect(try post("n0").outcome == .posted)
    }

    @Test("The history of all apps has a limit")
    func kept() throws {
        // Without a desktop, because waiting notifications are not removed.
        let bench = try CoreBench(NotifierService.definition(desktop: false))
        try bench.follow(try Self.household)
        func list(_ request: NotifyList.Request) throws -> [PostedNotification] {
            try bench.ask(NotifyList.self, request).notifications
        }
        for app in 0..<11 {
            for number in 0..<NotifierTables.keptPerAppMax {
                let request = NotifyPost.Request(
                    app: "app\(app)",
                    id: "n\(number)",
                    title: "Title",
                    body: "Body"
                )
                _ = try bench.ask(NotifyPost.self, request)
            }
        }

        let count = try bench.database.first("SELECT count(*) FROM notifications") { try $0.int(0) }
        #expect(count == Int64(NotifierTables.keptMax))
        #expect(try list(.init(app: "app0")).isEmpty)
        #expect(try list(.init(limit: 1)).first?.app == "app10")
    }

    @Test("The history and its numbering continue after a restart")
    func start() throws {
        _ = try post("a")
        let last = try post("b")
        let before = try list()

        let again = try bench.reopened()

        #expect(try again.ask(NotifyList.self, .init()).notifications == before)
        let next = try again.ask(
            NotifyPost.self,
            .init(app: "app", id: "c", title: "Title", body: "")
        )
        #expect(next.number == last.number + 1)
    }

    @Test(
        "A notification with invalid text is rejected",
        arguments: [
            ("", "b", "/title"), (" \u{3000}", "b", "/title"), ("a\nb", "b", "/title"),
            ("a\u{1B}[2J", "b", "/title"), (String(repeating: "t", count: 257), "b", "/title"),
            ("t", "a\u{0}b", "/body"), ("t", "a\u{9B}2J", "/body"), ("t", "a\r\nb", "/body"),
            ("t", String(repeating: "b", count: 2_049), "/body"),
            (String(repeating: "t", count: 1 << 20), "b", "/title"),
            ("t", String(repeating: "b", count: 1 << 20), "/body"),
        ]
    )
    func badText(title: String, body: String, field: String) throws {
        let problem = try refusal(.init(app: "app", id: "a", title: title, body: body))

        #expect(problem?.code == "notify.bad_text")
        #expect(problem?.field == field)
        #expect(bench.events.isEmpty)
        #expect(try list().isEmpty)
    }

    @Test("Text in any script, line breaks, markup and text of the maximum size are stored unchanged")
    func goodText() throws {
        let title = String(repeating: "한", count: 85)
        let body = "<b>15\u{2068}분\u{2069}</b>\n\t👩‍👩‍👧 &amp; " + String(repeating: "x", count: 1_900)

        _ = try post("a", title: title, body: body)
        _ = try post("b", body: "")

        #expect(try list().map(\.body) == ["", body])
        #expect(try list().last?.title == title)
    }

    @Test(
        "A notification with an invalid app, id, member or cause is rejected",
        arguments: [
            ("", "i", "m", "c", "/app"), ("a b", "i", "m", "c", "/app"), ("a/b", "i", "m", "c", "/app"),
            ("앱", "i", "m", "c", "/app"), (String(repeating: "a", count: 129), "i", "m", "c", "/app"),
            ("a", "", "m", "c", "/id"), ("a", "i\n", "m", "c", "/id"),
            ("a", String(repeating: "i", count: 129), "m", "c", "/id"), ("a", "i", "", "c", "/member"),
            ("a", "i", "m\u{7}", "c", "/member"), ("a", "i", "kid", "", "/cause"),
        ]
    )
    func badNames(app: String, id: String, member: String, cause: String, field: String) throws {
        let request = NotifyPost.Request(
            app: app,
            member: member,
            id: id,
            title: "t",
            body: "b",
            cause: cause
        )

        #expect(try refusal(request)?.field == field)
    }

    @Test("A notification without a member is for the owner")
    func owner() throws {
        _ = try post("a")
        #expect(try post("a", member: "owner").outcome == .unchanged)
        #expect(try list().map(\.member) == ["owner"])
    }

    @Test("A notification for a person outside the household is rejected")
    func stranger() throws {
        let problem = try refusal(.init(app: "app", member: "guest", id: "a", title: "t", body: ""))

        #expect(problem?.code == "member.unknown")
        #expect(problem?.field == "/member")
    }

    @Test("Without a known household, posting is rejected as retryable")
    func noHousehold() throws {
        let fresh = try CoreBench(NotifierService.definition())

        let problem = try fresh.refusal(NotifyPost.self, .init(app: "app", id: "a", title: "t", body: ""))

        #expect(problem?.code == "unavailable")
        #expect(problem?.retryable == true)
    }

    @Test("A rebuilt household keeps its order and drops members who are gone")
    func rebuilt() throws {
        let all = try Self.household
        try bench.rebuild([all[0], all[2]])

        #expect(bench.state.household.members.map(\.name) == ["owner", "teen"])
        #expect(try bench.reopened().state.household.members.map(\.name) == ["owner", "teen"])
    }

    @Test("An invalid position in the list is rejected", arguments: ["-1", "x", "", "0", "1e3"])
    func badPlace(next: String) throws {
        #expect(try bench.refusal(NotifyList.self, .init(next: next))?.code == "page.invalid")
    }

    @Test("A limit below one is rejected", arguments: [0, -1, Int64.min])
    func badLimit(limit: Int64) throws {
        #expect(try bench.refusal(NotifyList.self, .init(limit: limit))?.code == "body.invalid")
    }
}
