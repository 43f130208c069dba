import STContracts
import STCrypto
import STDomain
import STEngine
import STPlatform
import STTestKit
import Synchronization

/// A stand-in for auth-service with a person who allows every app. Checking real passcodes is slow on purpose.
enum StandIn {
    static let member = "minji"

    /// Installs an app with these extensions, and allows it.
    enum Allow: Route {
        typealias Request = InstalledApp
        typealias Reply = Empty

        static let name = "test.allow"
        static let kind = RouteKind.write
        static let summary = "Publishes an app and a word about it."
    }

    private static func word(_ app: String) -> Authorization {
        Authorization(
            app: app,
            member: member,
            status: .approved,
            scope: .individual,
            access: true,
            enforce: true,
            generation: 1
        )
    }

    /// Returns a token, which is the thing in base64.
    private static func token(_ item: TokenItem) -> String {
        Base64.encode(Array("\(item.kind.rawValue) \(item.id)".utf8))
    }

    private static func item(_ token: String) throws -> TokenItem {
        let words = String(decoding: Base64.decode(token) ?? [], as: UTF8.self).split(separator: " ")
        guard words.count == 2, let kind = TokenKind(rawValue: String(words[0])) else {
            throw Problem("token.unknown", verbatim: "\(token) is no token of this test.")
        }
        return TokenItem(kind: kind, id: String(words[1]))
    }

    static let auth = ServiceDefinition<Int>(
        name: .auth,
        streams: [.authorization],
        load: { _ in 0 },
        begin: { _, change in
            let owner = Member(name: member, role: .individual)
            try change.emit(MemberAdded.self, subject: "member/\(member)", owner)
        },
        routes: [
            .write(Allow.self) { installs, request, _, change in
                installs += 1
                var app = request
                app.installedAt = "installation \(installs)"
                let id = app.manifest.id
                try change.emit(AppInstalled.self, subject: id, app)
                try change.emit(AuthorizationChanged.self, subject: "\(id)/\(member)", word(id))
                return Empty()
            },
            .query(AuthCheck.self) { _, request, _, _ in
                AuthCheck.Reply(
                    authorization: word(request.app),
                    items: try request.tokens.map(item),
                    hasMonitor: false
                )
            },
            .query(TokenIssue.self) { _, request, _, _ in
                TokenIssue.Reply(tokens: request.items.map(token))
            },
        ]
    )
}

/// A subscriber of the policy stream with gap detection like a service's. It applies the events that it receives.
final class PolicySubscriber: Sendable {
    private let held: HeldPolicy
    private let service: StandInService<Int>

    init(_ directories: Directories) async throws {
        let held = HeldPolicy()
        let definition = ServiceDefinition<Int>(
            name: ServiceName("policy-subscriber"),
            load: { _ in 0 },
            subscriptions: [
                Subscription(
                    source: .shield,
                    stream: .policy,
                    reset: { _, _ in held.change { $0 = Policies() } },
                    apply: { count, event, _ in
                        count += 1
                        try held.change { try $0.apply(event) }
                    }
                )
            ]
        )
        self.held = held
        service = try await StandInService(definition, directories)
    }

    var book: Policies { held.book }

    func stop() async throws { try await service.stop() }

    private final class HeldPolicy: Sendable {
        private let value = Mutex(Policies())

        var book: Policies { value.withLock { $0 } }

        func change(_ body: (inout Policies) throws -> Void) rethrows {
            try value.withLock { try body(&$0) }
        }
    }
}
