import STContracts
import STDomain

/// The policy of one member at some moment, from the rows until then.
struct PastPolicy {
    private(set) var book = PolicyBook()
    /// Under which subject each store is written down.
    private(set) var subjects: [StoreName: String] = [:]
    private(set) var grants: [String: RequestView] = [:]

    init(_ rows: [ChangeRow]) throws {
        for row in rows {
            switch row.type {
            case PolicyStoreChanged.type:
                let word = try PolicyStore.decodedBody(row.body)
                book.apply(word)
                subjects[StoreName(app: word.app, member: word.member, store: word.store)] = row.subject
            case PolicyAllowedChanged.type: book.apply(try PolicyAllowed.decodedBody(row.body))
            case PolicyGrantChanged.type:
                let word = try PolicyGrant.decodedBody(row.body)
                book.apply(word)
                grants[word.request.request] = word.request
            default: break
            }
        }
    }
}
