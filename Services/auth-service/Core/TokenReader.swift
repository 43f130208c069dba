import STContracts
import STCrypto
import STPlatform
import STStore

/// Reads the tokens of one request; each key is looked up once.
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
        // Any bytes may be called a token, as on a phone; only those made here mean something.
        guard let token = Base64.decode(text), let id = SealedToken.keyID(of: token),
            let (row, key) = try key(id), let name = SealedToken.open(token, key)
        else {
            throw Problem(
                "token.unknown",
                "This is no token of this computer, or it was damaged. Choose again what it stood for.",
                field: field
            )
        }
        guard row.app == known.app else {
            throw Problem(
                "token.foreign",
                "This token was given to another app. \(known.app) has to let its own be chosen.",
                field: field
            )
        }
        guard row.generation >= known.generation else {
            throw Problem(
                "token.void",
                "This token ended when the permission under which it was given was taken back. Choose again.",
                field: field
            )
        }
        guard let item = TokenName.item(of: name) else {
            throw Problem(
                "token.unknown",
                "A later version of Screen Time has made this token. Update this one.",
                field: field
            )
        }
        return item
    }

    private mutating func key(_ id: UInt64) throws -> (row: TokenKeyRow, key: SealingKey)? {
        if let found = keys[id] { return found }
        guard let row = try TokenStore.key(id, database),
            let master = row.version == current.version
                ? current : try TokenStore.master(row.version, database)
        else { return nil }
        let found = (row: row, key: Tokens.sealingKey(master, row.app, row.generation))
        keys[id] = found
        return found
    }
}
