import Foundation
import STClientLink
import STContracts
import STDomain
import STFoundationTypes
import STPlatform
import Synchronization

extension Label where Title == FamilyActivityTitleView, Icon == FamilyActivityIconView {
    public init(_ applicationToken: ApplicationToken) {
        self.init(.application, applicationToken)
    }

    public init(_ categoryToken: ActivityCategoryToken) {
        self.init(.category, categoryToken)
    }

    public init(_ webDomainToken: WebDomainToken) {
        self.init(.webDomain, webDomainToken)
    }

    private init<T>(_ kind: FamilyActivityKind, _ token: Token<T>) {
        self.init {
            FamilyActivityTitleView(token: token.data, kind: kind)
        } icon: {
            FamilyActivityIconView(kind: kind, token: token.data)
        }
    }
}

public struct FamilyActivityTitleView: View, PrimitiveView {
    public typealias Body = Never

    let token: Data
    let kind: FamilyActivityKind

    package func write(_ page: PageWriter) throws {
        let language = page.environment.locale.language.languageCode?.identifier ?? "en"
        let name = TokenNames.shared.name(of: token, language: language)
        try page.lower(Text(verbatim: name ?? kind.name(language: language)))
    }
}

/// A picture for a token: a coloured tile with the first letter of the name.
public struct FamilyActivityIconView: View {
    private static let colors: [Color] = [.blue, .purple, .pink, .orange, .green, .teal, .indigo, .brown]
    private static let side: CGFloat = 28

    let kind: FamilyActivityKind
    /// The name of the app, category or site. `nil` if it is unknown.
    private let name: String?

    init(kind: FamilyActivityKind, token: Data) {
        self.kind = kind
        // Use one language, so that the letter does not depend on the language.
        name = TokenNames.shared.name(of: token, language: "en")
    }

    public var body: some View {
        ZStack {
            RoundedRectangle(cornerRadius: 7).fill(color)
            if let letter {
                Text(letter).font(.system(size: 15, weight: .semibold)).foregroundColor(.white)
            } else {
                Image(systemName: kind.symbol).foregroundColor(.white)
            }
        }
        .frame(width: Self.side, height: Self.side)
        .accessibilityHidden(true)
    }

    /// The letter of the tile. For a name with dots, such as org.gnome.Evolution, it is from the last part.
    private var letter: String? {
        name?.split(separator: ".").last?.first { $0.isLetter || $0.isNumber }?.uppercased()
    }

    /// The colour of the tile. The same name always has the same colour.
    private var color: Color {
        let sum = (name ?? "").unicodeScalars.reduce(UInt64(5_381)) { $0 &* 33 &+ UInt64($1.value) }
        return Self.colors[Int(sum % UInt64(Self.colors.count))]
    }
}

/// The kind of thing that a token represents.
enum FamilyActivityKind {
    case application, category, webDomain

    var symbol: String {
        switch self {
        case .application: "app"
        case .category: "square.grid.2x2"
        case .webDomain: "globe"
        }
    }

    /// Returns the name of the kind, for a token whose own name is unknown.
    func name(language: String) -> String {
        let words = DisplayLanguage(of: language)
        return switch self {
        case .application: words.text("picker.app", "App")
        case .category: words.text("picker.category", "Category")
        case .webDomain: words.text("picker.website", "Website")
        }
    }
}

/// Finds and caches the names of tokens.
final class TokenNames: Sendable {
    static let shared = TokenNames(link: .current)

    /// The maximum number of cached names.
    private static let most = 2_000
    private static let timeout = Duration.seconds(2)

    private struct State {
        var names: [Data: String?] = [:]
        var notBeforeMs: Int64 = 0
    }

    private let link: ClientLink
    private let things: ReportThings
    /// The time without requests after a service did not reply. Without it, a picker of a hundred tokens would wait for each
    /// token.
    private let pause: Duration
    private let state = Mutex(State())

    init(link: ClientLink, things: ReportThings = .shared, pause: Duration = .seconds(10)) {
        self.link = link
        self.things = things
        self.pause = pause
    }

    /// Returns the name of a token, or `nil` if it is unknown. An extension uses the name in the report. An app requests the name
    /// from auth-service.
    func name(of token: Data, language: String) -> String? {
        if let told = things.name(of: token) { return told }
        // An extension may only use the names in its report.
        guard !link.isExtension else { return nil }
        let (known, mayAsk) = state.withLock { state in
            (state.names[token], Stopwatch.milliseconds() >= state.notBeforeMs)
        }
        if let known { return known }
        guard mayAsk else { return nil }
        do throws(Problem) {
            let name = try resolved(token, language)
            keep(name, of: token)
            return name
        } catch {
            FrameworkLog.authorization.notice("the name of a token is not known: \(error.description)")
            if error.retryable {
                state.withLock { $0.notBeforeMs = Stopwatch.milliseconds() + pause.ms }
            } else {
                keep(nil, of: token)
            }
            return nil
        }
    }

    private func keep(_ name: String?, of token: Data) {
        state.withLock { state in
            if state.names.count < Self.most { state.names[token] = .some(name) }
        }
    }

    private func resolved(_ token: Data, _ language: String) throws(Problem) -> String? {
        let request = TokenResolve.Request(
            app: link.identity.app,
            member: link.identity.member,
            tokens: [token.base64EncodedString()]
        )
        let reply = try link.call(TokenResolve.self, to: .auth, request, timeout: Self.timeout)
        guard let item = reply.items.first else { return nil }
        return item.kind == .category
            ? Category(rawValue: item.id)?.name(language: language) ?? item.id : item.id
    }
}
