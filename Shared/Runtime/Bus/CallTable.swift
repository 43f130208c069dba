package import STContracts
package import STPlatform

/// The client side of requests: those under way, their ends, and their repeats.
///
/// A request is repeated with the same id and idempotency key. This happens only if there is no reply, or if the reply is
/// `unavailable`. After a reconnect it is repeated immediately, because bytes written to a killed peer are lost. Otherwise it is
/// repeated slowly. The caller's deadline limits everything. Pure: time goes in, effects come out.
package struct CallTable: Sendable {
    package enum Outcome: Sendable {
        case reply(body: [UInt8], repeated: Bool)
        case failed(Problem)
    }

    package enum Effect: Sendable {
        case send(id: String, frames: [[UInt8]])
        case finish(id: String, Outcome)
    }

    private struct Call {
        var frames: [[UInt8]]
        var route: String
        var deadline: BootTime
        var resendAt: BootTime
        var attempt = 0
        var isUnsent = false
    }

    private static let resend = Backoff(firstMs: 1_000, limitMs: 10_000)
    private static let unavailable = Backoff(firstMs: 50, limitMs: 1_000)

    private var calls: [String: Call] = [:] {
        // Without calls, no timer is needed.
        didSet { if calls.isEmpty { next = nil } }
    }
    private let peer: ServiceName
    private let limit: Int
    package private(set) var resends = 0
    package private(set) var unmatchedReplies = 0

    package init(peer: ServiceName, limit: Int = 10_000) {
        self.peer = peer
        self.limit = limit
    }

    /// The next moment at which `tick` may have something to do. It is never too late, and sometimes too early.
    ///
    /// The value is stored, because with a thousand calls under way, a search through all calls each time would take a million
    /// steps.
    package private(set) var next: BootTime?

    private mutating func scheduleNext(_ call: Call) {
        let moment = min(call.deadline, call.isUnsent ? call.deadline : call.resendAt)
        next = min(next ?? moment, moment)
    }

    package mutating func start(
        id: String,
        route: String,
        frames: [[UInt8]],
        deadline: BootTime,
        now: BootTime
    ) -> [Effect] {
        guard calls.count < limit else {
            let problem = Problem(
                "client.too_many_calls",
                "\(limit, "most") requests to \(peer, "peer") are already under way. Wait until some of them finish.",
                retryable: true
            )
            return [.finish(id: id, .failed(problem))]
        }
        let call = Call(
            frames: frames,
            route: route,
            deadline: deadline,
            resendAt: now + .milliseconds(Self.resend.delayMs(attempt: 0, noise: 1))
        )
        calls[id] = call
        scheduleNext(call)
        return [.send(id: id, frames: frames)]
    }

    /// Marks a call as unsent, because the socket had no room or no peer. The call waits here, where it can be cancelled, and not
    /// in libzmq's queue.
    package mutating func markUnsent(id: String) { calls[id]?.isUnsent = true }

    /// Sends the waiting calls, because the socket accepts messages again. A call that waited long is not repeated immediately
    /// after it has been sent.
    package mutating func socketDidBecomeWritable(now: BootTime = BootTime(ms: 0)) -> [Effect] {
        calls.filter { $0.value.isUnsent }.sorted { $0.key < $1.key }.map { id, call in
            calls[id]?.isUnsent = false
            calls[id]?.resendAt = max(
                call.resendAt,
                now + .milliseconds(Self.resend.delayMs(attempt: 0, noise: 1))
            )
            if let sent = calls[id] { scheduleNext(sent) }
            return .send(id: id, frames: call.frames)
        }
    }

    /// Repeats the requests under way after a reconnect, because they may have been lost with the old connection.
    package mutating func connectionDidReturn(now: BootTime) -> [Effect] {
        calls.filter { !$0.value.isUnsent }.sorted { $0.key < $1.key }.map { id, _ in
            resendEffect(id, now: now)
        }
    }

    package mutating func receive(_ frames: [[UInt8]], now: BootTime) -> [Effect] {
        guard frames.count >= 1, let header = ReplyHeader.read(frames[0]) else {
            unmatchedReplies += 1
            return []
        }
        guard let id = header.id, let call = calls[id] else {
            // Late: the call has ended, or another attempt was answered first.
            unmatchedReplies += 1
            return []
        }
        let body = frames.count > 1 ? frames[1] : Array("{}".utf8)
        if header.ok {
            calls[id] = nil
            return [.finish(id: id, .reply(body: body, repeated: header.repeated))]
        }
        let problem =
            (try? Problem.decodedBody(body))
            ?? Problem(
                "reply.invalid",
                "The error in the reply could not be read.",
                key: "reply.invalid.the-error-could"
            )
        let delay = Duration.milliseconds(Self.unavailable.delayMs(attempt: call.attempt, noise: 1))
        if problem.code == "unavailable", problem.retryable, now + delay < call.deadline {
            calls[id]?.resendAt = now + delay
            if let call = calls[id] { scheduleNext(call) }
            return []
        }
        calls[id] = nil
        return [.finish(id: id, .failed(problem))]
    }

    package mutating func cancel(id: String) -> [Effect] {
        guard calls.removeValue(forKey: id) != nil else { return [] }
        return [.finish(id: id, .failed(Problem("request.cancelled", "The request was cancelled.")))]
    }

    package mutating func tick(now: BootTime) -> [Effect] {
        var effects: [Effect] = []
        for (id, call) in calls.sorted(by: { $0.key < $1.key }) {
            if call.deadline <= now {
                calls[id] = nil
                effects.append(.finish(id: id, .failed(expired(call))))
            } else if !call.isUnsent, call.resendAt <= now {
                effects.append(resendEffect(id, now: now))
            }
        }
        next = nil
        for call in calls.values { scheduleNext(call) }
        return effects
    }

    /// Ends all calls, when the client closes.
    package mutating func close() -> [Effect] {
        let ids = calls.keys.sorted()
        calls = [:]
        return ids.map {
            .finish(
                id: $0,
                .failed(
                    Problem(
                        "request.cancelled",
                        "The client was closed.",
                        key: "request.cancelled.the-client-was"
                    )
                )
            )
        }
    }

    private mutating func resendEffect(_ id: String, now: BootTime) -> Effect {
        resends += 1
        calls[id]?.attempt += 1
        let attempt = calls[id]?.attempt ?? 0
        calls[id]?.resendAt = now + .milliseconds(Self.resend.delayMs(attempt: attempt, noise: 1))
        if let call = calls[id] { scheduleNext(call) }
        return .send(id: id, frames: calls[id]?.frames ?? [])
    }

    private func expired(_ call: Call) -> Problem {
        call.isUnsent
            ? Problem(
                "service.not_running",
                """
                \(peer, "peer") does not answer. Screen Time does not seem to be running. Start it with \
                `screentime system up`.
                """,
                key: "service.not_running.does-not-answer",
                retryable: true,
                help: "screentime status"
            )
            : Problem(
                "deadline.exceeded",
                """
                \(peer, "peer") did not answer \(call.route, "route") in time. The request may or may not \
                have been carried out. Repeating it with the same idempotency key is safe.
                """,
                key: "deadline.exceeded.did-not-answer",
                retryable: true,
                help: "screentime status"
            )
    }
}

/// A delay that doubles up to a limit, with jitter so that many clients of one service do not return together.
package struct Backoff: Sendable, Equatable {
    private let first: Duration
    private let limit: Duration

    package init(firstMs: Int64, limitMs: Int64) {
        first = .milliseconds(firstMs)
        limit = .milliseconds(limitMs)
    }

    /// `noise` in 0..<1 comes from the caller, so that a simulation is repeatable.
    package func delayMs(attempt: Int, noise: Double = 0.5) -> Int64 {
        let doubled = first * (1 << min(max(attempt, 0), 20))
        let base = min(limit, doubled).ms
        return base / 2 + Int64(Double(base) * noise / 2)
    }
}
