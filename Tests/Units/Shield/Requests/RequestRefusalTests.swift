import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Refused requests for more time")
struct RequestRefusalTests {
    private let desk: RequestDesk

    init() throws { desk = try RequestDesk() }

    private func refusal(_ request: RequestAdd.Request) throws -> String? {
        try desk.bench.refusal(RequestAdd.self, request)?.code
    }

    @Test(
        "A request for less than 1 s or more than a day is refused",
        arguments: [-1, 0, 999, 86_400_001, .min, .max] as [Int64]
    )
    func duration(ms: Int64) throws {
        var request = RequestDesk.ask()
        request.durationMs = ms
        #expect(try refusal(request) == "request.bad_duration")
        #expect(try desk.add("kid", minutes: 24 * 60).state == .waiting)
    }

    @Test("A caller for one member can revoke that member's request, but not revoke or answer another's")
    func door() throws {
        try desk.add()
        let bench = desk.bench
        bench.behalf = "owner"
        let refused = try [
            bench.refusal(RequestRevoke.self, .init(request: "R1")),
            bench.refusal(RequestApprove.self, .init(request: "R1", passcode: RequestDesk.passcode)),
            bench.refusal(RequestDeny.self, .init(request: "R1", passcode: RequestDesk.passcode)),
            bench.refusal(RequestCode.self, .init(request: "R1", code: "123456")),
        ]
        #expect(refused.map { $0?.code } == Array(repeating: "access.not_yours", count: 4))
        bench.behalf = "kid"
        #expect(try bench.ask(RequestRevoke.self, .init(request: "R1")).request.state == .withdrawn)
    }

    @Test("A request with an unknown category, an invalid app or site, or too many items is refused")
    func items() throws {
        let bad: [(TokenKind, String, String)] = [
            (.category, "nonsense", "category.unknown"), (.domain, "https://a.b/c", "request.bad_items"),
            (.domain, "localhost", "request.bad_items"), (.application, " ", "request.bad_items"),
            (.application, "a\u{1B}[2J", "request.bad_items"),
        ]
        for (kind, id, code) in bad {
            #expect(
                try refusal(RequestDesk.ask("kid", minutes: 5, items: [TokenItem(kind: kind, id: id)]))
                    == code,
                "\(id)"
            )
        }
        let many = (0...RequestCheck.itemsMax).map { RequestDesk.app("a\($0)") }
        #expect(try refusal(RequestDesk.ask("kid", minutes: 5, items: many)) == "request.bad_items")
        #expect(
            try desk.add("kid", minutes: 5, items: Array(many.dropLast())).items.count
                == RequestCheck.itemsMax
        )
    }

    @Test("A request whose reason is too long or contains control characters is refused")
    func words() throws {
        for text in [String(repeating: "x", count: 501), "a\u{7}b", "two\nlines"] {
            #expect(try refusal(RequestDesk.ask("kid", minutes: 5, because: text)) == "request.bad_words")
        }
        var request = RequestDesk.ask()
        request.shield = ""
        #expect(try refusal(request) == "request.bad_shield")
        #expect(try desk.bench.ask(RequestAdd.self, RequestDesk.ask(because: "")).request.because == nil)
    }

    @Test("A request for an unknown member is refused with the name of an existing member")
    func member() throws {
        let problem = try desk.bench.refusal(RequestAdd.self, RequestDesk.ask("kit"))
        #expect(problem?.code == "member.unknown")
        #expect(problem?.message.contains("kid") == true)
    }

    @Test("A request that repeats a waiting one, or exceeds the number that can wait, is refused")
    func many() throws {
        try desk.add()
        #expect(try refusal(RequestDesk.ask("kid", minutes: 5)) == "request.exists")
        for number in 1..<MoreTimeRequests.waitingMax {
            try desk.add("kid", minutes: 5, items: [RequestDesk.app("a\(number)")])
        }
        #expect(
            try refusal(RequestDesk.ask("kid", minutes: 5, items: [RequestDesk.app("more")]))
                == "request.too_many"
        )
        // The requests of another member do not count.
        #expect(try desk.add("owner", minutes: 5).state == .waiting)
    }

    @Test(
        "Revoking or approving an unknown request is refused without checking the passcode",
        arguments: ["R2", "R0", "R-1", "7", "", "R99999999999999"]
    )
    func names(name: String) throws {
        try desk.add()
        #expect(
            try desk.bench.refusal(RequestRevoke.self, .init(request: name))?.code == "request.not_found"
        )
        let approve = RequestApprove.Request(request: name, passcode: RequestDesk.passcode)
        #expect(try desk.bench.refusal(RequestApprove.self, approve)?.code == "request.not_found")
        #expect(!desk.asked.contains(AuthProve.name))
    }
}
