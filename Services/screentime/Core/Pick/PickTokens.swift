import STContracts
import STPlatform

/// Names as the tokens of one app, and back; auth-service alone can do either.
enum PickTokens {
    private static let batch = 400

    static func issue(
        _ selection: PickSelection,
        app: String,
        member: String?,
        _ clients: ServiceClients
    ) async throws -> [String] {
        var tokens: [String] = []
        var rest = selection.items[...]
        while !rest.isEmpty {
            let items = Array(rest.prefix(batch))
            rest = rest.dropFirst(batch)
            tokens += try await clients.call(
                TokenIssue.self,
                .init(app: app, member: member, items: items)
            ).tokens
        }
        return tokens
    }

    /// The names in a file, and those that its tokens stand for.
    static func names(_ file: PickFile, app: String?, member: String?, _ clients: ServiceClients) async throws
        -> PickSelection
    {
        var selection = file.names
        var rest = file.tokens[...]
        guard !rest.isEmpty else { return selection }
        guard let app else {
            throw Problem(
                "selection.has_tokens",
                "The selection has tokens, which only its app can read: say which app that is.",
                help: "screentime pick --from FILE --app APP"
            )
        }
        while !rest.isEmpty {
            let tokens = Array(rest.prefix(batch))
            rest = rest.dropFirst(batch)
            let reply = try await clients.call(
                TokenResolve.self,
                .init(app: app, member: member, tokens: tokens)
            )
            selection.add(reply.items)
        }
        return selection
    }
}
