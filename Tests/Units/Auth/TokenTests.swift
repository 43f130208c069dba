import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STAuthCore

@Suite("Tokens")
struct TokenTests {
    private let home: Home

    init() throws {
        home = try Home()
        try home.approve()
    }

    private func code(_ tokens: [String], _ app: String = Home.app, _ member: String? = nil) throws -> String?
    {
        try home.bench.refusal(TokenResolve.self, .init(app: app, member: member, tokens: tokens))?.code
    }

    @Test("stand for what they were given for, of every kind")
    func roundTrip() throws {
        let items = [
            TokenItem(kind: .application, id: "org.mozilla.firefox"),
            TokenItem(kind: .category, id: "social"),
            TokenItem(kind: .domain, id: "news.example"),
            TokenItem(kind: .domain, id: String(repeating: "a", count: 253)),
            TokenItem(kind: .application, id: "social"),
        ]

        let tokens = try home.bench.ask(TokenIssue.self, .init(app: Home.app, items: items)).tokens

        #expect(Set(tokens).count == items.count)
        #expect(Set(tokens.map(\.count)).count == 1)
        #expect((Base64.decode(tokens[0])?.count ?? 0) >= 128)
        #expect(try home.bench.ask(TokenResolve.self, .init(app: Home.app, tokens: tokens)).items == items)
        let check = try home.bench.ask(AuthCheck.self, .init(app: Home.app, tokens: tokens))
        #expect(check.items == items)
        #expect(check.authorization.status == .approved)
        #expect(check.hasMonitor)
    }

    @Test("tokens are the same each time, also after a new start")
    func stable() throws {
        let tokens = try home.issue(["firefox", "code"])

        #expect(try home.issue(["firefox", "code"]) == tokens)
        try home.reopen()
        #expect(try home.issue(["firefox", "code"]) == tokens)
        #expect(try home.resolve(tokens) == ["firefox", "code"])
    }

    @Test("another computer has other tokens, and these mean nothing there")
    func otherDevice() throws {
        let tokens = try home.issue(["firefox"])
        let other = try Home()
        try other.approve()

        #expect(try other.issue(["firefox"]) != tokens)
        let refused = try other.bench.refusal(TokenResolve.self, .init(app: Home.app, tokens: tokens))
        #expect(refused?.code == "token.unknown")
    }

    @Test("tokens of another app are foreign")
    func foreign() throws {
        try home.approve("streaks")
        let tokens = try home.issue(["firefox"])

        #expect(try home.issue(["firefox"], "streaks") != tokens)
        #expect(try code(tokens, "streaks") == "token.foreign")
        let checked = try home.bench.refusal(AuthCheck.self, .init(app: "streaks", tokens: tokens))
        #expect(checked?.code == "token.foreign")
        #expect(checked?.field == "/tokens/0")
    }

    @Test("tokens end with the permission under which they were given")
    func void() throws {
        let old = try home.issue(["firefox"])
        _ = try home.revoke()

        #expect(try code(old) == "auth.unauthorized")
        try home.approve()
        #expect(try code(old) == "token.void")
        let new = try home.issue(["firefox"])
        #expect(new != old)
        #expect(try home.resolve(new) == ["firefox"])
        #expect(
            try home.bench.refusal(TokenResolve.self, .init(app: Home.app, tokens: new + old))?.field
                == "/tokens/1"
        )
    }

    @Test("tokens of one member do not end because another takes permission back")
    func otherMember() throws {
        _ = try home.set(Home.child, "kid's", proof: "guardian's")
        let question = try home.question(Home.app, Home.child)
        #expect(try home.answer(question, "kid's").refusal == nil)
        let tokens = try home.issue(["firefox"], Home.app, Home.child)
        #expect(tokens == (try home.issue(["firefox"])))

        _ = try home.revoke()

        #expect(try home.resolve(tokens, Home.app, Home.child) == ["firefox"])
        #expect(try home.issue(["firefox"], Home.app, Home.child) == tokens)
        try home.approve()
        #expect(try code(tokens) == "token.void")
        // What is newer than a member's own is no reason to refuse it.
        #expect(try home.resolve(try home.issue(["code"]), Home.app, Home.child) == ["code"])
    }

    @Test(
        "bytes that are not a token are unknown",
        arguments: ["", "AQID", "not base64", String(repeating: "A", count: 408), "김"]
    )
    func garbage(text: String) throws {
        #expect(try code([text]) == "token.unknown")
    }

    @Test("a token changed in any place is unknown")
    func damaged() throws {
        let token = try #require(Base64.decode(try home.issue(["firefox"])[0]))
        for index in stride(from: 0, to: token.count, by: 7) {
            var changed = token
            changed[index] ^= 0x10
            #expect(try code([Base64.encode(changed)]) == "token.unknown", "byte \(index)")
        }
    }

    @Test("given out before a new key stay readable, and new ones differ")
    func rekey() throws {
        let old = try home.issue(["firefox"])

        #expect(try home.bench.ask(TokenRekey.self, Empty()).keyVersion == 2)
        let new = try home.issue(["firefox"])
        #expect(new != old)
        #expect(try home.resolve(old + new) == ["firefox", "firefox"])
        try home.reopen()
        #expect(try home.issue(["firefox"]) == new)
        #expect(try home.resolve(new + old) == ["firefox", "firefox"])
        _ = try home.revoke()
        try home.approve()
        #expect(try code(old) == "token.void")
        #expect(try code(new) == "token.void")
        #expect(home.told.filter { $0.hasPrefix("authorization.tokens.rekeyed") }.isEmpty)
    }

    @Test("tokens have a hundred keys and not one more")
    func keysMax() throws {
        for _ in 2...100 { _ = try home.bench.ask(TokenRekey.self, Empty()) }

        #expect(try home.bench.refusal(TokenRekey.self, Empty())?.code == "token.too_many_keys")
        #expect(try home.resolve(try home.issue(["firefox"])) == ["firefox"])
    }

    @Test("tokens are for apps with permission")
    func unauthorized() throws {
        try home.install("streaks")
        let request = TokenIssue.Request(
            app: "streaks",
            items: [TokenItem(kind: .application, id: "firefox")]
        )

        #expect(try home.bench.refusal(TokenIssue.self, request)?.code == "auth.unauthorized")
        #expect(try code([], "streaks") == "auth.unauthorized")
        let check = try home.bench.ask(
            AuthCheck.self,
            .init(app: "streaks", tokens: try home.issue(["firefox"]))
        )
        #expect(check.authorization.status == .notDetermined)
        #expect(check.items.isEmpty)
    }

    @Test(
        "tokens are not given for what cannot be a name",
        arguments: [
            (TokenKind.application, "", "token.bad_name"), (.application, "a\u{0}b", "token.bad_name"),
            (.application, String(repeating: "x", count: 129), "token.bad_name"),
            (.domain, "News.example", "token.bad_name"), (.domain, "news example", "token.bad_name"),
            (.domain, String(repeating: "x", count: 254), "token.bad_name"),
            (.unknown, "x", "body.unknown_value"),
        ]
    )
    func badName(kind: TokenKind, id: String, code: String) throws {
        let request = TokenIssue.Request(app: Home.app, items: [TokenItem(kind: kind, id: id)])

        let problem = try home.bench.refusal(TokenIssue.self, request)
        #expect(problem?.code == code)
        #expect(problem?.field?.hasPrefix("/items/0/") == true)
    }

    @Test("come at most five hundred at once, and then the answer fits")
    func count() throws {
        let ids = (1...500).map { "app\($0)" }
        let tokens = try home.issue(ids)

        #expect(try home.resolve(tokens) == ids)
        #expect(throws: Problem.self) { try home.issue(ids + ["more"]) }
        #expect(try code(tokens + tokens) == "token.too_many")
        let check = AuthCheck.Request(app: Home.app, tokens: tokens + tokens)
        #expect(try home.bench.refusal(AuthCheck.self, check)?.code == "token.too_many")
    }

    @Test("the rules that people make themselves need no permission")
    func builtIn() throws {
        let check = try home.bench.ask(
            AuthCheck.self,
            .init(app: "screentime.rules", member: Home.child, tokens: [])
        )

        #expect(check.authorization.status == .approved)
        #expect(check.authorization.enforce)
        #expect(check.hasMonitor)
        let revoke = AuthRevoke.Request(app: "screentime.rules")
        #expect(try home.bench.refusal(AuthRevoke.self, revoke)?.code == "app.reserved_id")
        #expect(
            try home.resolve(try home.issue(["firefox"], "screentime.rules"), "screentime.rules") == [
                "firefox"
            ]
        )
    }
}
