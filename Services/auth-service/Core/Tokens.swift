import STContracts
import STCrypto
import STEngine
import STPlatform
import STStore

/// Converts names to opaque tokens, and back.
///
/// Each version of the master key, app and generation has its own key. So a token has no meaning for another app, becomes invalid
/// with its permission, and is the same each time until then.
enum Tokens {
    static let tokensMax = 500
    private static let versionsMax: Int64 = 100

    // MARK: - Routes

    static func issue(_ request: TokenIssue.Request, _ state: AuthState) throws -> TokenIssue.Reply {
        let known = try Permissions.status(request.app, member: request.member, state: state)
        guard known.access else { throw Permissions.unauthorized(known) }
        try checkCount(request.items.count, "/items")
        let master = try master(state)
        let key = sealingKey(master, app: request.app, generation: known.generation)
        let tokens = try request.items.enumerated().map { index, item in
            Base64.encode(SealedToken.seal(try TokenName.bytes(of: item, field: "/items/\(index)"), key))
        }
        return TokenIssue.Reply(tokens: tokens)
    }

    static func resolve(
        _ request: TokenResolve.Request,
        state: AuthState,
        database: Database
    ) throws -> TokenResolve.Reply {
        let known = try Permissions.status(request.app, member: request.member, state: state)
        guard known.access else { throw Permissions.unauthorized(known) }
        return TokenResolve.Reply(
            items: try items(of: request.tokens, known, state: state, database: database)
        )
    }

    /// Checks tokens for services. A missing permission is a reply here and not an error.
    static func check(
        _ request: AuthCheck.Request,
        state: AuthState,
        database: Database
    ) throws -> AuthCheck.Reply {
        let known = try Permissions.status(request.app, member: request.member, state: state)
        try checkCount(request.tokens.count, "/tokens")
        return AuthCheck.Reply(
            authorization: known,
            items: known.access ? try items(of: request.tokens, known, state: state, database: database) : [],
            hasMonitor: Apps.hasMonitor(request.app, state)
        )
    }

    static func rekey(_ state: inout AuthState, _ change: StoreTransaction) throws -> TokenRekey.Reply {
        let version = try master(state).version + 1
        guard version <= versionsMax else {
            throw Problem(
                "token.too_many_keys",
                "There are \(versionsMax, "most") versions of the key already, which is the limit."
            )
        }
        try makeMaster(version, state: &state, change: change)
        let body = TokensRekeyedBody(keyVersion: version)
        try change.emit(TokensRekeyed.self, subject: "tokens", body)
        return TokenRekey.Reply(keyVersion: version)
    }

    // MARK: - Keys

    /// Creates a master key, and stores the ids of the keys that are derived from it.
    static func makeMaster(_ version: Int64, state: inout AuthState, change: StoreTransaction) throws {
        let key = try SealingKey.newMaster()
        try TokenTable.insert(master: key, version, change.database)
        state.master = MasterKey(version: version, key: key)
        try prepareKey(of: BuiltIn.rules, generation: 0, state, change)
        for known in Permissions.sorted(state) where known.status == .approved {
            try prepareKey(of: known.app, generation: known.generation, state, change)
        }
    }

    /// Stores the app and the generation of a key, so that its tokens can be read later.
    static func prepareKey(
        of app: String,
        generation: Int64,
        _ state: AuthState,
        _ change: StoreTransaction
    ) throws {
        let master = try master(state)
        try TokenTable.insert(
            TokenKeyRow(version: master.version, app: app, generation: generation),
            id: sealingKey(master, app: app, generation: generation).id,
            change.database
        )
    }

    static func sealingKey(_ master: MasterKey, app: String, generation: Int64) -> SealingKey {
        // An app's id never contains a zero byte.
        SealingKey(master: master.key, purpose: Array("\(generation)\u{0}\(app)".utf8))
    }

    private static func master(_ state: AuthState) throws -> MasterKey {
        guard let master = state.master else {
            throw Problem(
                "unavailable",
                "auth-service has not created the key for tokens yet. Try again in a moment.",
                key: "unavailable.there-is-no",
                retryable: true
            )
        }
        return master
    }

    // MARK: - Reading

    private static func checkCount(_ count: Int, _ field: String) throws {
        guard count <= tokensMax else {
            throw Problem(
                "token.too_many",
                "A request can have at most \(tokensMax, "most") items. Send the rest in another request.",
                field: field
            )
        }
    }

    private static func items(
        of tokens: [String],
        _ known: Authorization,
        state: AuthState,
        database: Database
    ) throws -> [TokenItem] {
        try checkCount(tokens.count, "/tokens")
        var reader = TokenReader(known: known, current: try master(state), database: database)
        return try tokens.enumerated().map { index, text in
            try reader.item(of: text, field: "/tokens/\(index)")
        }
    }
}

/// Reads the tokens of one request. Each key is looked up once.
struct TokenReader {
    let known: Authorization
    let current: MasterKey
    let database: Database
    private var keys: [UInt64: (row: TokenKeyRow, key: SealingKey)] = [:]

    init(known: Authorization, current: MasterKey, database: Database) {
        self.known = known
        self.current = current
        self.database = database
    }

    mutating func item(of text: String, field: String) throws -> TokenItem {
        // As on a phone, an app may send any bytes as a token.
        guard let token = Base64.decode(text), let id = SealedToken.keyID(of: token),
            let (row, key) = try key(id), let name = SealedToken.open(token, key)
        else {
            throw Problem(
                "token.unknown",
                "This token is not from this computer, or it is damaged. Choose the app, category or site again.",
                key: "token.unknown.this-token-is",
                field: field
            )
        }
        guard row.app == known.app else {
            throw Problem(
                "token.foreign",
                "This token belongs to another app. Choose the app, category or site again in \(known.app, "app").",
                field: field
            )
        }
        guard row.generation >= known.generation else {
            throw Problem(
                "token.void",
                """
                This token became invalid when its permission was revoked. Choose the app, category or site \
                again.
                """,
                field: field
            )
        }
        guard let item = TokenName.item(of: name) else {
            throw Problem(
                "token.unknown",
                "A newer version of Screen Time made this token. Update Screen Time on this computer.",
                key: "token.unknown.a-newer-version",
                field: field
            )
        }
        return item
    }

    private mutating func key(_ id: UInt64) throws -> (row: TokenKeyRow, key: SealingKey)? {
        if let found = keys[id] { return found }
        guard let row = try TokenTable.key(id, database),
            let master = row.version == current.version
                ? current : try TokenTable.master(row.version, database)
        else { return nil }
        let found = (row: row, key: Tokens.sealingKey(master, app: row.app, generation: row.generation))
        keys[id] = found
        return found
    }
}

/// The content of a token: a byte for the kind, and the canonical name.
enum TokenName {
    private static let appBytesMax = 128
    /// The longest name in DNS.
    private static let domainBytesMax = 253

    static func bytes(of item: TokenItem, field: String) throws -> [UInt8] {
        let kind = try item.kind.required("\(field)/kind")
        let limit = kind == .domain ? domainBytesMax : appBytesMax
        let isSpaced = item.id.unicodeScalars.contains { $0.properties.isWhitespace }
        guard (1...limit).contains(item.id.utf8.count), item.id.isPlain,
            kind != .domain || (!isSpaced && item.id == item.id.lowercased())
        else {
            throw Problem(
                "token.bad_name",
                text: kind == .domain
                    ? Message(
                        "token.bad_name.domain",
                        "A domain must be 1 to \(limit, "most") bytes long, in lower case and without spaces."
                    )
                    : Message(
                        "token.bad_name",
                        "A name must be 1 to \(limit, "most") bytes long and must not contain control characters."
                    ),
                field: "\(field)/id"
            )
        }
        return [byte(kind)] + Array(item.id.utf8)
    }

    static func item(of bytes: [UInt8]) -> TokenItem? {
        guard let first = bytes.first, let kind = kind(first),
            let id = String(validating: bytes.dropFirst(), as: UTF8.self)
        else { return nil }
        return TokenItem(kind: kind, id: id)
    }

    private static func byte(_ kind: TokenKind) -> UInt8 {
        switch kind {
        case .application: 1
        case .category: 2
        case .domain: 3
        case .unknown: 0
        }
    }

    private static func kind(_ byte: UInt8) -> TokenKind? {
        switch byte {
        case 1: .application
        case 2: .category
        case 3: .domain
        default: nil
        }
    }
}
