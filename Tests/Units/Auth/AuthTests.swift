import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STAuthCore

@Suite("The household")
struct AuthTests {
    private static let owner = "child"

    private let bench: CoreBench<AuthState>

    init() throws {
        bench = try CoreBench(AuthService.definition(owner: Self.owner, deviceName: "desk"))
    }

    private func list() throws -> MemberList.Reply { try bench.ask(MemberList.self, Empty()) }

    private func topics(_ bench: CoreBench<AuthState>) throws -> [String] {
        try bench.ask(EventsSince.self, .init(stream: "authorization")).events.map {
            "\($0.header.type) \($0.header.subject)"
        }
    }

    @Test("A new household contains this computer and its owner, and announces both")
    func beginning() throws {
        let known = try list()

        #expect(known.device.name == "desk")
        #expect(known.device.id.utf8.count == Identifier.length)
        #expect(known.members == [Member(name: Self.owner, role: .individual, account: Self.owner)])
        #expect(
            try topics(bench) == [
                "authorization.device.registered device/\(known.device.id)",
                "authorization.member.added member/\(Self.owner)",
            ]
        )
    }

    @Test(
        "A restart under another name of the computer changes and announces nothing"
    )
    func start() throws {
        _ = try bench.ask(MemberAdd.self, Member(name: "guardian", role: .child))
        let before = try list()
        let told = try topics(bench)

        let again = try bench.reopened(
            as: AuthService.definition(owner: "other", deviceName: "renamed")
        )

        #expect(try again.ask(MemberList.self, Empty()) == before)
        #expect(try topics(again) == told)
    }

    @Test("Adding a member twice adds and announces it once")
    func twice() throws {
        let child = Member(name: "guardian", role: .child)

        #expect(try bench.ask(MemberAdd.self, child) == MemberAdd.Reply(member: child, added: true))
        #expect(bench.events.map(\.header.type) == [MemberAdded.type])
        #expect(try bench.events.first?.decoded(MemberAdded.self) == child)
        #expect(try bench.ask(MemberAdd.self, child) == MemberAdd.Reply(member: child, added: false))
        #expect(bench.events.count == 1)
        #expect(try list().members.count == 2)
    }

    @Test("Members stay in the order of their addition")
    func order() throws {
        for name in ["c", "a", "b"] { _ = try bench.ask(MemberAdd.self, Member(name: name, role: .child)) }

        #expect(try list().members.map(\.name) == [Self.owner, "c", "a", "b"])
        #expect(
            try bench.reopened().ask(MemberList.self, Empty()).members.map(\.name) == [
                Self.owner, "c", "a", "b",
            ]
        )
    }

    @Test("A name that already has another role is rejected")
    func otherRole() throws {
        let problem = try bench.refusal(MemberAdd.self, Member(name: Self.owner, role: .child))

        #expect(problem?.code == "member.exists")
        #expect(problem?.field == "/name")
        #expect(problem?.message.contains("individual") == true)
        #expect(problem?.help == "screentime member set \(Self.owner) --role child")
        #expect(bench.events.isEmpty)

        _ = try bench.ask(MemberAdd.self, Member(name: "mum", role: .guardian))
        let guardian = try bench.refusal(MemberAdd.self, Member(name: "mum", role: .individual))
        #expect(guardian?.code == "member.exists" && guardian?.help == "screentime member list")
    }

    @Test("An unknown role is rejected")
    func unknownRole() throws {
        let problem = try bench.refusal(MemberAdd.self, Member(name: "x", role: .unknown))

        #expect(problem?.code == "body.unknown_value")
        #expect(problem?.field == "/role")
    }

    @Test(
        "An invalid name of a member is rejected",
        arguments: [
            "", "a/b", "a\u{0}b", "a\nb", "\u{7F}", "a\u{9B}31mb", "a\u{85}b",
            String(repeating: "n", count: 65),
            String(repeating: "김", count: 22),
        ]
    )
    func badNames(name: String) throws {
        let problem = try bench.refusal(MemberAdd.self, Member(name: name, role: .child))

        #expect(problem?.code == "member.bad_name")
        #expect(problem?.field == "/name")
        #expect(try list().members.count == 1)
    }

    @Test(
        "Member names can use any script, spaces and emoji",
        arguments: [
            "n", String(repeating: "n", count: 64), "김민준", "O'Brien ", "名前", "👩‍👧",
            String(repeating: "김", count: 21),
        ]
    )
    func goodNames(name: String) throws {
        #expect(try bench.ask(MemberAdd.self, Member(name: name, role: .guardian)).added)
        #expect(try bench.reopened().ask(MemberList.self, Empty()).members.last?.name == name)
    }

    @Test("A household has at most a thousand members, and existing ones can still be added again")
    func limit() throws {
        for number in 2...1_000 {
            _ = try bench.ask(MemberAdd.self, Member(name: "m\(number)", role: .child))
        }

        #expect(
            try bench.refusal(MemberAdd.self, Member(name: "m1001", role: .child))?.code == "member.too_many"
        )
        #expect(try !bench.ask(MemberAdd.self, Member(name: "m1000", role: .child)).added)
        #expect(try list().members.count == 1_000)
        #expect(bench.events.count == 999)
    }
}
