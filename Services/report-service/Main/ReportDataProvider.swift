import STContracts
import STEngine
import STExtensions
import STPlatform
import STReportCore
import STServiceKit
import STZeroMQ
import Synchronization

/// Adds the app's own tokens to the data that it requested. Only auth-service can create these.
struct ReportDataProvider: Sendable {
    private let services: ServiceRequester<ReportState>

    init(_ asking: ServiceRequester<ReportState>) { self.services = asking }

    func answer(_ request: DataQuery.Request, _ question: PreparationQuestion) async -> DataQuery.Reply {
        do {
            var data = try await services.host.readStore("report.data.look", trace: question.trace) {
                try Hosting.handlers.data(request, state: $0, context: $1, database: $2)
            }
            let tokens = try await tokens(of: data, request, question)
            for part in data.parts.indices {
                for row in data.parts[part].rows.indices {
                    Self.fill(&data.parts[part].rows[row], tokens)
                }
            }
            return DataQuery.Reply(data: data)
        } catch {
            return DataQuery.Reply(problem: Problem(error))
        }
    }

    private func tokens(
        of data: ReportData.Reply,
        _ request: DataQuery.Request,
        _ question: PreparationQuestion
    ) async throws -> [TokenItem: String] {
        var seen: Set<TokenItem> = []
        let items = data.parts.flatMap(\.rows).flatMap(Self.items)
            .filter { Self.canHaveToken($0) && seen.insert($0).inserted }
        var tokens: [TokenItem: String] = [:]
        for start in stride(from: 0, to: items.count, by: ReportLimits.tokens) {
            let some = Array(items[start..<min(items.count, start + ReportLimits.tokens)])
            let reply = try await services.client.call(
                TokenIssue.self,
                TokenIssue.Request(app: request.data.app, member: request.member, items: some),
                options: CallOptions(
                    timeoutMs: max(1, question.deadlineBootMs - Stopwatch.bootMilliseconds()),
                    trace: question.trace.next()
                )
            )
            guard reply.tokens.count == some.count else {
                throw Problem(
                    "internal",
                    """
                    auth-service returned the wrong number of tokens: \(reply.tokens.count, "count") instead \
                    of \(some.count, "count2").
                    """,
                    key: "internal.auth-service-gave"
                )
            }
            for (item, token) in zip(some, reply.tokens) { tokens[item] = token }
        }
        return tokens
    }

    private static func items(_ row: ReportDataRow) -> [TokenItem] {
        [
            TokenItem(kind: .category, id: row.category.id),
            row.application.map { TokenItem(kind: .application, id: $0.id) },
            row.webDomain.map { TokenItem(kind: .domain, id: $0.id) },
        ].compactMap { $0 }
    }

    private static func fill(_ row: inout ReportDataRow, _ tokens: [TokenItem: String]) {
        func token(_ kind: TokenKind, _ id: String) -> String { tokens[TokenItem(kind: kind, id: id)] ?? "" }
        row.category.token = token(.category, row.category.id)
        if let id = row.application?.id { row.application?.token = token(.application, id) }
        if let id = row.webDomain?.id { row.webDomain?.token = token(.domain, id) }
    }

    /// Returns false for names that auth-service would reject, so that one strange name does not hide a whole day.
    private static func canHaveToken(_ item: TokenItem) -> Bool {
        let bytesMax = item.kind == .domain ? 253 : 128
        return item.id.isPlain && (1...bytesMax).contains(item.id.utf8.count)
            && (item.kind != .domain
                || item.id == item.id.lowercased()
                    && !item.id.unicodeScalars.contains(where: \.properties.isWhitespace))
    }
}

/// The data that an extension requested in a call and did not get.
///
/// Apple's sequences of data have no errors: they end. A report about a part of a day would be wrong, so the reason is shown
/// instead.
final class DataFailures: Sendable {
    /// The failures of each call, by request. A request that succeeds later has not failed.
    private let failed = Mutex<[String: [String: Problem]]>([:])

    /// Starts recording the failures of a call.
    func begin(_ call: String) { failed.withLock { $0[call] = [:] } }

    /// Stops recording. Returns `nil` if all requests succeeded.
    func end(_ call: String) -> Problem? {
        failed.withLock { $0.removeValue(forKey: call)?.min { $0.key < $1.key }?.value }
    }

    func forward(_ request: ForwardedRequest, by asking: ServiceRequester<ReportState>) async throws
        -> [UInt8]
    {
        do {
            let answer = try await asking.forward(request)
            record(request, nil)
            return answer
        } catch {
            record(request, Problem(error))
            throw error
        }
    }

    private func record(_ request: ForwardedRequest, _ problem: Problem?) {
        // The key is `<call>/<number>/<digest of route and body>`.
        let words = request.idempotencyKey.split(separator: "/")
        guard let call = words.first, let digest = words.last else { return }
        failed.withLock { failed in
            guard failed[String(call)] != nil else { return }
            failed[String(call)]?[String(digest)] = problem
        }
    }
}
