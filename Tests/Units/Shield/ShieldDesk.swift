import STContracts
import STPlatform
import STTestKit
import STTestSupport

@testable import STShieldCore

/// The rules of shield-service with a household, an app that is allowed, and tokens as auth-service seals them.
final class ShieldDesk {
    static let app = "org.example.app"
    static let other = "org.example.other"
    static let member = "kim"
    static let child = "lee"

    private(set) var bench: CoreBench<ShieldState>
    private var words: Int64 = 0
    private let answers: Answers

    /// What auth-service would say about each app and member.
    private final class Answers: @unchecked Sendable {
        var words: [String: Authorization] = [:]
    }

    init(isEmpty: Bool = false) throws {
        bench = try CoreBench(ShieldService.definition())
        answers = Answers()
        answer()
        guard !isEmpty else { return }
        try say(MemberAdded.self, Member(name: Self.member, role: .individual))
        try say(MemberAdded.self, Member(name: Self.child, role: .child))
        for app in [Self.app, Self.other] {
            try install(app)
            for member in [Self.member, Self.child] { try allow(app, member: member) }
        }
    }

    func reopen() throws {
        bench = try bench.reopened()
        bench.reach()
        answer()
    }

    /// Tokens of an app are `app:kind:id`.
    private func answer() {
        let answers = answers
        bench.otherService = { _, body in
            let request = try AuthCheck.Request.decodedBody(body)
            let member = request.member ?? ShieldDesk.member
            let word =
                answers.words["\(request.app)/\(member)"]
                ?? ShieldDesk.word(
                    request.app,
                    member: member,
                    status: .notDetermined,
                    isEnforced: false,
                    generation: 0
                )
            var items: [TokenItem] = []
            for (index, token) in request.tokens.enumerated() where word.access {
                let parts = token.split(separator: ":", maxSplits: 2).map(String.init)
                guard parts.count == 3, parts[0] == request.app else {
                    throw Problem(
                        "token.foreign",
                        verbatim: "This token was not made for \(request.app).",
                        field: "/tokens/\(index)"
                    )
                }
                items.append(TokenItem(kind: TokenKind(rawValue: parts[1]) ?? .unknown, id: parts[2]))
            }
            return try AuthCheck.Reply(authorization: word, items: items, hasMonitor: true).encodedBody()
        }
    }

    // MARK: - What others say

    static func word(
        _ app: String,
        member: String,
        status: AuthorizationStatus,
        isEnforced: Bool,
        generation: Int64
    ) -> Authorization {
        Authorization(
            app: app,
            member: member,
            status: status,
            scope: .individual,
            access: status == .approved,
            enforce: isEnforced,
            generation: generation
        )
    }

    func install(_ app: String) throws {
        let manifest = AppManifest(
            id: app,
            name: "Example",
            version: "1",
            protocolVersion: 1,
            entitlements: [],
            groups: [],
            extensions: [
                ManifestExtension(
                    point: ExtensionPoint.shieldAction.rawValue,
                    executable: "/opt/app/action",
                    protocolVersion: 1,
                    entitlements: []
                )
            ]
        )
        try say(AppInstalled.self, InstalledApp(manifest: manifest, bundle: "/opt/app", installedAt: ""))
    }

    func remove(_ app: String = app) throws {
        answers.words = answers.words.filter { !$0.key.hasPrefix(app + "/") }
        try say(AppRemoved.self, AppRemovedBody(app: app))
    }

    func allow(
        _ app: String = app,
        member: String = member,
        status: AuthorizationStatus = .approved,
        isEnforced: Bool = true,
        generation: Int64 = 0
    ) throws {
        let word = Self.word(
            app,
            member: member,
            status: status,
            isEnforced: isEnforced,
            generation: generation
        )
        answers.words["\(app)/\(member)"] = word
        try say(AuthorizationChanged.self, word)
    }

    func removeMember(_ name: String = member) throws {
        try say(MemberRemoved.self, Member(name: name, role: .individual))
    }

    func know(_ subject: String, _ category: String, name: String? = nil) throws {
        words += 1
        let facts = SubjectFacts(
            subject: subject,
            category: category,
            source: .person,
            name: name,
            names: [:]
        )
        let event = try CoreBench<ShieldState>.event(
            SubjectKnown.self,
            sequence: words,
            subject: subject,
            body: facts
        )
        try bench.follow([event], subscription: 1)
    }

    private func say<E: EventType>(_ type: E.Type, _ body: E.Body) throws {
        words += 1
        try bench.follow([
            try CoreBench<ShieldState>.event(type, sequence: words, subject: "s\(words)", body: body)
        ])
    }

    // MARK: - What apps and people ask

    static func token(_ kind: TokenKind, _ id: String, app: String = app) -> JSONValue {
        ["token": .string("\(app):\(kind.rawValue):\(id)")]
    }

    static func apps(_ ids: String...) -> JSONValue { .array(ids.map { token(.application, $0) }) }

    @discardableResult
    func set(
        _ settings: [String: JSONValue],
        app: String = app,
        member: String? = nil,
        store: String = "main"
    ) throws -> SettingsGet.Reply {
        guard app == BuiltInRules.app else {
            return try bench.ask(
                SettingsSet.self,
                .init(app: app, member: member, store: store, settings: settings)
            )
        }
        try follow(Self.decision(settings, of: store, member: member ?? Self.member))
        return try get(app: app, member: member, store: store)
    }

    static func decision(_ settings: [String: JSONValue]?, of rule: String, member: String = member)
        -> RuleDecision
    {
        RuleDecision(member: member, rule: rule, settings: settings, cause: "d1")
    }

    /// Applies a decision as published by activity-center.
    func follow(_ decision: RuleDecision) throws {
        words += 1
        let event = try CoreBench<ShieldState>.event(
            RuleDecided.self,
            sequence: words,
            subject: "s\(words)",
            body: decision
        )
        try bench.follow([event], subscription: 2)
    }

    func alwaysAllow(_ items: [TokenItem], member: String = member) throws {
        words += 1
        let body = RuleAllowance(member: member, items: items)
        let event = try CoreBench<ShieldState>.event(
            RuleAllowed.self,
            sequence: words,
            subject: "s\(words)",
            body: body
        )
        try bench.follow([event], subscription: 2)
    }

    func refusal(_ settings: [String: JSONValue], app: String = app, store: String = "main") throws
        -> Problem?
    {
        try bench.refusal(SettingsSet.self, .init(app: app, store: store, settings: settings))
    }

    func get(app: String = app, member: String? = nil, store: String = "main") throws -> SettingsGet.Reply {
        try bench.ask(SettingsGet.self, .init(app: app, member: member, store: store))
    }

    func view(app: String = app, store: String = "main") throws -> StoreView? {
        try bench.ask(SettingsList.self, .init(app: app)).stores.first { $0.store == store }
    }

    func decide(app: String? = nil, domain: String? = nil, member: String? = nil) throws -> ShieldDecide.Reply
    {
        try bench.ask(ShieldDecide.self, .init(member: member, subject: .init(app: app, domain: domain)))
    }

    func explain(app: String? = nil, domain: String? = nil, at wallMs: Int64? = nil) throws
        -> ShieldExplain.Reply
    {
        try bench.ask(ShieldExplain.self, .init(subject: .init(app: app, domain: domain), wallMs: wallMs))
    }

    func isShielded(_ app: String, member: String? = nil) throws -> Bool {
        try decide(app: app, member: member).decision.isShielded
    }

    var now: Int64 { bench.time.now().wallMs }

    func pass(ms: Int64) { bench.time.advance(byMs: ms) }
}
