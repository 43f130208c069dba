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

    private func code(_ tokens: [String], app: String = Home.app, member: String? = nil) throws -> String? {
        try home.bench.refusal(TokenResolve.self, .init(app: app, member: member, tokens: tokens))?.code
    }

    @Test("Tokens of every kind resolve to their items and have equal lengths")
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

    @Test("The token of an item stays the same, also after a restart")
    func stable() throws {
        let tokens = try home.issue(["firefox", "code"])

        #expect(try home.issue(["firefox", "code"]) == tokens)
        try home.reopen()
        #expect(try home.issue(["firefox", "code"]) == tokens)
        #expect(try home.resolve(tokens) == ["firefox", "code"])
    }

    @Test("Each computer has its own tokens, and those of another computer are unknown")
    func otherDevice() throws {
        let tokens = try home.issue(["firefox"])
        let other = try Home()
        try other.approve()

        #expect(try other.issue(["firefox"]) != tokens)
        let refused = try other.bench.refusal(TokenResolve.self, .init(app: Home.app, tokens: tokens))
        #expect(refused?.code == "token.unknown")
    }

    @Test("A token of another app is rejected as foreign")
    func foreign() throws {
        try home.approve("streaks")
        let tokens = try home.issue(["firefox"])

        #expect(try home.issue(["firefox"], app: "streaks") != tokens)
        #expect(try code(tokens, app: "streaks") == "token.foreign")
        let checked = try home.bench.refusal(AuthCheck.self, .init(app: "streaks", tokens: tokens))
        #expect(checked?.code == "token.foreign")
        #expect(checked?.field == "/tokens/0")
    }

    @Test("A token ends with the permission under which it was issued")
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

    @Test("Revoking the permission of one member does not end another member's tokens")
    func otherMember() throws {
        _ = try home.set(Home.child, "kid's", proof: "guardian's")
        let question = try home.question(Home.app, member: Home.child)
        #expect(try home.answer(question, "kid's").refusal == nil)
        let tokens = try home.issue(["firefox"], app: Home.app, member: Home.child)
        #expect(tokens == (try home.issue(["firefox"])))

        _ = try home.revoke()

        #expect(try home.resolve(tokens, app: Home.app, member: Home.child) == ["firefox"])
        #expect(try home.issue(["firefox"], app: Home.app, member: Home.child) == tokens)
        try home.approve()
        #expect(try code(tokens) == "token.void")
        // A generation that is newer than the member's own is no reason to reject the token.
        #expect(try home.resolve(try home.issue(["code"]), app: Home.app, member: Home.child) == ["code"])
    }

    @Test(
        "Bytes that are not a token are unknown",
        arguments: ["", "AQID", "not base64", String(repeating: "A", count: 408), "김"]
    )
    func garbage(text: String) throws {
        #expect(try code([text]) == "token.unknown")
    }

    @Test("A token with a changed byte is unknown")
    func damaged() throws {
        let token = try #require(Base64.decode(try home.issue(["firefox"])[0]))
        for index in stride(from: 0, to: token.count, by: 7) {
            var changed = token
            changed[index] ^= 0x10
            #expect(try code([Base64.encode(changed)]) == "token.unknown", "byte \(index)")
        }
    }

    @Test("A new key issues different tokens, and older tokens remain valid")
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

    @Test("At most a hundred token keys can be created")
    func keysMax() throws {
        for _ in 2...100 { _ = try home.bench.ask(TokenRekey.self, Empty()) }

        #expect(try home.bench.refusal(TokenRekey.self, Empty())?.code == "token.too_many_keys")
        #expect(try home.resolve(try home.issue(["firefox"])) == ["firefox"])
    }

    @Test("Tokens require permission")
    func unauthorized() throws {
        try home.install("streaks")
        let request = TokenIssue.Request(
            app: "streaks",
            items: [TokenItem(kind: .application, id: "firefox")]
        )

        #expect(try home.bench.refusal(TokenIssue.self, request)?.code == "auth.unauthorized")
        #expect(try code([], app: "streaks") == "auth.unauthorized")
        let check = try home.bench.ask(
            AuthCheck.self,
            .init(app: "streaks", tokens: try home.issue(["firefox"]))
        )
        #expect(check.authorization.status == .notDetermined)
        #expect(check.items.isEmpty)
    }

    @Test(
        "A token for an invalid name is rejected",
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

    @Test("At most five hundred tokens are issued or resolved in one request")
    func count() throws {
        let ids = (1...500).map { "app\($0)" }
        let tokens = try home.issue(ids)

        #expect(try home.resolve(tokens) == ids)
        #expect(throws: Problem.self) { try home.issue(ids + ["more"]) }
        #expect(try code(tokens + tokens) == "token.too_many")
        let check = AuthCheck.Request(app: Home.app, tokens: tokens + tokens)
        #expect(try home.bench.refusal(AuthCheck.self, check)?.code == "token.too_many")
    }

    @Test("The rules of people need no permission")
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
            try home.resolve(try home.issue(["firefox"], app: "screentime.rules"), app: "screentime.rules")
                == [
                    "firefox"
                ]
        )
    }
}
