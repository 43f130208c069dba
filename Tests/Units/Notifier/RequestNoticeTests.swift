import STContracts
import STDomain
import STEngine
import STPlatform
import STTestKit
import Testing

@testable import STNotifierCore

@Suite("Notifications about requests for more time")
struct RequestNoticeTests {
    private static let nowMs: Int64 = 1_795_172_400_000

    private static func news(
        _ state: RequestState,
        by: String? = nil,
        grantsAt: String? = nil,
        answer: String? = nil
    ) -> RequestUpdate {
        let view = RequestView(
            request: "R7",
            member: "kid",
            items: [TokenItem(kind: .application, id: "firefox")],
            durationMs: 900_000,
            because: "homework",
            state: state,
            askedAt: "2026-11-20T11:00:00.000Z",
            grantsAt: grantsAt,
            answeredBy: by,
            answer: answer.map { Message(verbatim: $0) },
            fromWallMs: state == .granted ? nowMs : nil,
            untilWallMs: state == .granted ? nowMs + 900_000 : nil
        )
        return RequestUpdate(
            request: view,
            what: "15 min of Firefox",
            things: "Firefox",
            zone: "Europe/Berlin"
        )
    }

    /// Posted notifications: member, title and first line.
    private static func posted(_ news: [RequestUpdate], language: String = "en") throws -> [String] {
        let core = try CoreBench(
            NotifierService.definition(language: language),
            time: SimulatedTimeSource(wallMs: nowMs, zone: "Europe/Berlin")
        )
        let members = [Member(name: "mum", role: .guardian), Member(name: "kid", role: .child)]
        try core.follow(
            members.enumerated().map { index, member in
                try CoreBench<NotifierState>.event(
                    MemberAdded.self,
                    sequence: Int64(index + 1),
                    subject: "member/\(member.name)",
                    body: member
                )
            }
        )
        for news in news {
            try core.step { state, _, change in
                try RequestNotifications.handle(news, state: state, change: change)
            }
        }
        let open = try core.ask(NotifyList.self, .init()).notifications
        return open.filter { $0.state != .withdrawn }.sorted { $0.number < $1.number }.map {
            "\($0.member): \($0.title) | \($0.body.split(separator: "\n").first ?? "")"
        }
    }

    @Test(
        "A guardian is notified of a waiting request until it is answered, and then the child of the answer"
    )
    func guardian() throws {
        #expect(
            try Self.posted([Self.news(.waiting)]) == ["mum: kid asks for 15 min of Firefox | “homework”"]
        )
        #expect(
            try Self.posted([Self.news(.waiting), Self.news(.granted, by: "mum")])
                == ["kid: 15 min of Firefox: granted until 12:15 | mum answered request R7."]
        )
    }

    @Test(
        "A guardian is notified of a request on another machine with the command to answer it, until it is answered"
    )
    func elsewhere() throws {
        let core = try CoreBench(NotifierService.definition(language: "en"))
        func shown() throws -> [PostedNotification] {
            try core.ask(NotifyList.self, .init()).notifications.filter { $0.state != .withdrawn }
        }
        try core.follow([
            try CoreBench<NotifierState>.event(
                MemberAdded.self,
                sequence: 1,
                subject: "member/mum",
                body: Member(name: "mum", role: .guardian)
            )
        ])
        for _ in 0..<2 {
            _ = try core.ask(
                NotifyRequest.self,
                .init(member: "mum", machine: "kid's laptop", news: Self.news(.waiting))
            )
        }
        let one = try #require(try shown().first)
        #expect(try shown().count == 1)
        #expect(one.title == "kid asks for 15 min of Firefox on kid's laptop")
        #expect(
            one.body.contains("screentime request approve R7 --machine 'kid'\\''s laptop'"),
            "\(one.body)"
        )
        #expect(one.actions == nil)
        _ = try core.ask(
            NotifyRequest.self,
            .init(member: "mum", machine: "kid's laptop", news: Self.news(.granted, by: "mum"))
        )
        #expect(try shown().isEmpty)
    }

    @Test(
        "The person is notified of every answer, and no guardian of a request that the person's rule will grant"
    )
    func ownRule() throws {
        let own = RequestView.ownRule
        #expect(try Self.posted([Self.news(.waiting, grantsAt: "2026-11-20T11:01:00.000Z")]) == [])
        #expect(
            try Self.posted([Self.news(.granted, by: own)])
                == [
                    "kid: 15 min of Firefox: granted until 12:15 | Your own rule for more time answered request R7."
                ]
        )
        #expect(
            try Self.posted([Self.news(.denied, by: "mum", answer: "dinner")])
                == ["kid: 15 min of Firefox: denied by mum: “dinner” | mum answered request R7."]
        )
        #expect(
            try Self.posted([Self.news(.expired)])
                == ["kid: 15 min of Firefox: no guardian answered in time | "]
        )
        #expect(try Self.posted([Self.news(.withdrawn)]) == [])
    }

    @Test("Notifications about requests have Korean texts")
    func korean() throws {
        #expect(
            try Self.posted([Self.news(.waiting)], language: "ko") == [
                "mum: kid 님의 요청: Firefox 15분 | “homework”"
            ]
        )
        #expect(
            try Self.posted([Self.news(.granted, by: "mum")], language: "ko")
                == ["kid: Firefox 15분: 12:15까지 승인되었습니다 | mum 님이 요청 R7에 답했습니다."]
        )
    }
}
