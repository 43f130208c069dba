import STContracts
import STCrypto
import STEngine
import STPlatform
import STStore

/// Names as opaque tokens, and back.
///
/// Each version of the master key, app and generation has a key of its own, so a token tells nothing to another app,
/// ends with the permission it was given under, and is the same each time until then.
enum Tokens {
    static let tokensMax = 500
    private static let versionsMax: Int64 = 100

    // MARK: - Routes

    static func issue(_ request: TokenIssue.Request, _ state: AuthState) throws -> TokenIssue.Reply {
        let known = try Permissions.status(request.app, request.member, state)
        guard known.access else { throw Permissions.unauthorized(known) }
        try checkCount(request.items.count, "/items")
        let master = try master(state)
        let key = sealingKey(master, request.app, known.generation)
        let tokens = try request.items.enumerated().map { index, item in
            Base64.encode(SealedToken.seal(try TokenName.bytes(of: item, field: "/items/\(index)"), key))
        }
        return TokenIssue.Reply(tokens: tokens)
    }

    static func resolve(
        _ request: TokenResolve.Request,
        _ state: AuthState,
        _ database: Database
    ) throws -> TokenResolve.Reply {
        let known = try Permissions.status(request.app, request.member, state)
        guard known.access else { throw Permissions.unauthorized(known) }
        return TokenResolve.Reply(items: try items(of: request.tokens, known, state, database))
    }

    /// For services: not being allowed is an answer here.
    static func check(
        _ request: AuthCheck.Request,
        _ state: AuthState,
        _ database: Database
    ) throws -> AuthCheck.Reply {
        let known = try Permissions.status(request.app, request.member, state)
        try checkCount(request.tokens.count, "/tokens")
        return AuthCheck.Reply(
            authorization: known,
            items: known.access ? try items(of: request.tokens, known, state, database) : [],
            hasMonitor: Apps.hasMonitor(request.app, state)
        )
    }

    static func rekey(_ state: inout AuthState, _ change: StoreTransaction) throws -> TokenRekey.Reply {
        let version = try master(state).version + 1
        guard version <= versionsMax else {
            throw Problem(
                "token.too_many_keys",
                "There are \(versionsMax) versions of the key already, which is the limit."
            )
        }
        try makeMaster(version, &state, change)
        let body = TokensRekeyedBody(keyVersion: version)
        try change.emit(TokensRekeyed.self, subject: "tokens", body)
        return TokenRekey.Reply(keyVersion: version)
    }

    // MARK: - Keys

    /// A new master key, and the names of the keys that are made of it.
    static func makeMaster(_ version: Int64, _ state: inout AuthState, _ change: StoreTransaction) throws {
        let key = try SealingKey.newMaster()
        try TokenStore.insert(master: key, version, change.database)
        state.master = MasterKey(version: version, key: key)
        try prepareKey(of: BuiltIn.rules, generation: 0, state, change)
        for known in Permissions.sorted(state) where known.status == .approved {
            try prepareKey(of: known.app, generation: known.generation, state, change)
        }
    }

    /// Remembers which key that is, so that its tokens are found again.
    static func prepareKey(
        of app: String,
        generation: Int64,
        _ state: AuthState,
        _ change: StoreTransaction
    ) throws {
        let master = try master(state)
        try TokenStore.insert(
            TokenKeyRow(version: master.version, app: app, generation: generation),
            id: sealingKey(master, app, generation).id,
            change.database
        )
    }

    static func sealingKey(_ master: MasterKey, _ app: String, _ generation: Int64) -> SealingKey {
        // No id of an app has a zero byte.
        SealingKey(master: master.key, purpose: Array("\(generation)\u{0}\(app)".utf8))
    }

    private static func master(_ state: AuthState) throws -> MasterKey {
        guard let master = state.master else {
            throw Problem("unavailable", "There is no key for tokens yet.", retryable: true)
        }
        return master
    }

    // MARK: - Reading

    private static func checkCount(_ count: Int, _ field: String) throws {
        guard count <= tokensMax else {
            throw Problem(
                "token.too_many",
                "At most \(tokensMax) at once; send the rest in another request.",
                field: field
            )
        }
    }

    private static func items(
        of tokens: [String],
        _ known: Authorization,
        _ state: AuthState,
        _ database: Database
    ) throws -> [TokenItem] {
        try checkCount(tokens.count, "/tokens")
        var reader = TokenReader(known: known, current: try master(state), database: database)
        return try tokens.enumerated().map { index, text in
            try reader.item(of: text, field: "/tokens/\(index)")
        }
    }
}
