import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization

/// A desktop-agent with some apps, and an auth-service that makes tokens of names.
final class PickHouse: Sendable {
    static let rows = [
        ("firefox-esr", "Firefox", "utilities"), ("minetest", "Minetest", "games"),
        ("org.kde.kpat", "Patience", "games"),
        ("org.gnome.Maps", "지도", "travel"),
    ]
    let scratch: ScratchDirectory
    private let asked = Mutex<[(route: String, body: [UInt8])]>([])
    private let services = Mutex<[FakeService]>([])

    init() throws { scratch = try ScratchDirectory() }

    private var directories: Directories {
        Directories(run: scratch.path, state: scratch.path, config: scratch.path)
    }

    func start(_ names: [ServiceName] = [.desktop, .auth, .activity, .report]) async throws {
        for name in names {
            let service = try FakeService(name) { [self] route, body in
                asked.withLock { $0.append((route, body)) }
                return try answer(route, body)
            }
            try await service.start(directories)
            services.withLock { $0.append(service) }
        }
    }

    func stop() async {
        // Let go of, because their answers hold this.
        let all = services.withLock { services in
            defer { services = [] }
            return services
        }
        for service in all { await service.stop() }
    }

    func run(_ line: [String], keyboard: String = "/dev/null") async -> (ExitCode, CommandOutput) {
        await CommandOutput.run(line, in: scratch.path, keyboard: keyboard)
    }

    func last<R: Route>(_ route: R.Type) throws -> R.Request? {
        let body = asked.withLock { $0.last { $0.route == R.name }?.body }
        return try body.map { try R.Request.decodedBody($0) }
    }

    private func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
        switch route {
        case DesktopCatalogue.name: return try page(DesktopCatalogue.Request.decodedBody(body)).encodedBody()
        case TokenIssue.name:
            let items = try TokenIssue.Request.decodedBody(body).items
            return try TokenIssue.Reply(tokens: items.map { "\($0.kind.rawValue)/\($0.id)" }).encodedBody()
        case TokenResolve.name:
            let tokens = try TokenResolve.Request.decodedBody(body).tokens
            return try TokenResolve.Reply(items: tokens.map(item)).encodedBody()
        // No service says which apps and people there are, so names are not checked.
        case AppList.name, MemberList.name: throw Problem("unavailable", "Not now.")
        case RuleAdd.name:
            var spec = try RuleSpec.decodedBody(body)
            spec.member = "owner"
            spec.then = .notify
            return try RuleAdd.Reply(rule: RuleWordsTests.view("made", spec), notes: []).encodedBody()
        default: return Array("{}".utf8)
        }
    }

    /// Two at a time, so that there are pages.
    private func page(_ request: DesktopCatalogue.Request) -> DesktopCatalogue.Reply {
        let start = request.next.flatMap(Int.init) ?? 0
        let rows = Self.rows.dropFirst(start).prefix(2).map {
            CatalogueApp(app: $0.0, name: $0.1, category: $0.2, origin: .system)
        }
        return .init(apps: rows, version: 1, next: start + 2 < Self.rows.count ? String(start + 2) : nil)
    }

    private func item(_ token: String) throws -> TokenItem {
        let parts = token.split(separator: "/").map(String.init)
        guard parts.count == 2, let kind = TokenKind(rawValue: parts[0]) else {
            throw Problem("token.invalid", "That is none.")
        }
        return TokenItem(kind: kind, id: parts[1])
    }
}
