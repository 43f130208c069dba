import STBus
import STContracts
import STPlatform
import STStore

/// Answering requests that write, once each.
extension StoreEngine {
    func answer(
        _ request: AdmittedRequest,
        _ peer: [UInt8],
        into part: inout StoreBatch<State>
    ) throws -> StoreResult {
        guard case .write(let handler) = routes[request.header.route]?.work else {
            throw Problem("internal", "\(request.header.route) does not write, please report this.")
        }
        try requireInTime(request)
        let now = time.now()
        if let kept = try keptReply(request, now) {
            return .reply(request, peer: peer, body: kept, repeated: true)
        }
        let change = transaction(cause: request.header.id, trace: request.trace, now: now)
        let context = RequestContext(request, time: time)
        let body = try handler(&state, request.body, context, change)
        guard body.count <= BusLimits.replyBodyBytes else {
            throw Problem(
                "reply.too_large",
                "The answer would be larger than a reply may be; nothing was done."
            )
        }
        try keep(body, for: request, now)
        try change.finish()
        part.events += change.published
        if change.wantsScrub { part.wantsScrub = true }
        return .reply(request, peer: peer, body: body, repeated: false)
    }

    func requireInTime(_ request: AdmittedRequest) throws {
        guard request.isExpired(nowBootMs: bootMs()) else { return }
        throw Problem(
            "deadline.exceeded",
            "The deadline passed while the request waited, so nothing was done.",
            retryable: true
        )
    }

    func keptReply(_ request: AdmittedRequest, _ now: TimeReading) throws -> [UInt8]? {
        guard let key = request.header.idempotencyKey,
            let kept = try idempotency.lookup(
                principal: request.principal.account,
                key: key,
                nowMs: now.wallMs
            )
        else { return nil }
        guard kept.route == request.header.route, kept.requestDigest == digest(of: request) else {
            throw Problem(
                "idempotency.key_reused",
                "This idempotency key was used for another request. Use a new key for each new request.",
                field: "/idempotency_key"
            )
        }
        return kept.body
    }

    func keep(_ body: [UInt8], for request: AdmittedRequest, _ now: TimeReading) throws {
        // A secret that is handed out is nowhere but with whoever asked for it.
        guard let key = request.header.idempotencyKey, routes[request.header.route]?.info.keepsNoReply != true
        else { return }
        let reply = IdempotentReply(
            route: request.header.route,
            requestDigest: digest(of: request),
            body: body,
            expiresMs: now.wallMs + BusLimits.idempotencyKeepMs
        )
        try idempotency.store(principal: request.principal.account, key: key, reply, nowMs: now.wallMs)
        writesUntilPurge -= 1
        if writesUntilPurge < 0 {
            writesUntilPurge = Self.purgeEvery
            _ = try idempotency.purge(nowMs: now.wallMs, limit: Self.purgeRows)
        }
    }

    /// Passcodes could be tried out against even this, so of a request that may carry one nothing is kept.
    private func digest(of request: AdmittedRequest) -> Int64 {
        routes[request.header.route]?.info.isConfidential == true ? 0 : Self.digest(request.body)
    }
}
