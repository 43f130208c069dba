import STContracts
import STEngine
import STExtensions
import STPlatform
import STServiceKit
import STShieldCore

/// Calls the apps' extensions when a button is pressed.
actor PressAsker {
    private let caller: ShieldCaller
    private let looks: LookAsker
    private let deadlineMs: Int64
    /// The calls in progress. A press that is sent twice simultaneously counts once.
    private var underWay: [String: Task<PressAsk.Reply, any Error>] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { caller.thread.asUnownedSerialExecutor() }

    init(_ caller: ShieldCaller, _ looks: LookAsker) {
        self.caller = caller
        self.looks = looks
        deadlineMs = caller.surroundings.configuration.number(.shieldActionMs)
    }

    func answer(_ request: ShieldPress.Request, _ question: PreparationQuestion) async throws
        -> PressAsk.Reply
    {
        let key = "\(request.shield)/\(request.press)/\(request.button.rawValue)"
        if let known = underWay[key] { return try await known.value }
        let task = Task(executorPreference: caller.thread, priority: .medium) {
            try await self.ask(request, question)
        }
        underWay[key] = task
        defer { underWay[key] = nil }
        return try await task.value
    }

    private func ask(_ request: ShieldPress.Request, _ question: PreparationQuestion) async throws
        -> PressAsk.Reply
    {
        let begun: PressBegun
        do {
            begun = try await caller.asking.host.step("shield.press.begin", trace: question.trace) {
                try ShieldShowing.begin(request, $0, $2)
            }
        } catch let problem as Problem where !problem.retryable {
            // The service rejects the request itself for the same reason.
            return PressAsk.Reply()
        }
        guard let job = begun.job else { return PressAsk.Reply(isForMore: begun.isForMore) }
        let task = Task(executorPreference: caller.thread, priority: .medium) {
            await self.call(job, request, question)
        }
        guard let answered = await Deadline.within(deadlineMs, on: caller.thread, { await task.value }) else {
            let problem = ShieldCaller.late(job.app, ms: deadlineMs)
            tell("action_too_late", problem, job)
            return PressAsk.Reply(problem: problem)
        }
        var reply = answered
        if reply.response == .defer {
            reply.look = try await looks.answer(begun.look, question, isFresh: true).answer
        }
        return reply
    }

    private func call(
        _ job: PressJob,
        _ request: ShieldPress.Request,
        _ question: PreparationQuestion
    ) async -> PressAsk.Reply {
        do {
            // As on a phone, the call for a category's shield contains the category only.
            let target =
                job.target.category.map { ShieldTarget(category: $0) } ?? job.target
            let tokens = try await caller.tokens(
                target,
                app: job.app,
                member: job.member,
                question.trace,
                timeoutMs: deadlineMs
            )
            let outcome = await caller.call(
                .init(
                    spec: caller.spec(
                        job.app,
                        job.member,
                        .shieldAction,
                        job.executable,
                        bundle: job.bundle,
                        language: request.language
                    ),
                    id: job.call,
                    attempt: job.attempt,
                    method: .handle,
                    body: try Self.body(target, tokens, request),
                    cause: request.shield,
                    trace: question.trace,
                    deadlineMs: deadlineMs
                )
            )
            if let problem = outcome.problem { throw problem }
            return PressAsk.Reply(response: try Self.response(outcome.result))
        } catch {
            let problem = Problem(error)
            tell("action_failed", problem, job)
            return PressAsk.Reply(problem: problem)
        }
    }

    private static func body(_ target: ShieldTarget, _ tokens: [String], _ request: ShieldPress.Request)
        throws -> JSONValue
    {
        let body = ShieldActionBody(
            action: request.button,
            application: target.application == nil ? nil : tokens.first,
            category: target.category == nil ? nil : tokens.first,
            webDomain: target.domain == nil ? nil : tokens.first,
            language: request.language
        )
        return try JSONValue(text: body.encodedBody())
    }

    private static func response(_ value: JSONValue?) throws -> ShieldResponse {
        guard let result = try? ShieldActionResult.decodedBody((value ?? .null).text),
            result.response != .unknown
        else {
            let known = ShieldResponse.known.joined(separator: ", ")
            throw Problem(
                "extension.garbage",
                "The extension must return one of: \(known, "known").",
                key: "extension.garbage.is-not-one"
            )
        }
        return result.response
    }

    private func tell(_ event: StaticString, _ problem: Problem, _ job: PressJob) {
        caller.surroundings.log.problem(event, problem, ["app": .text(job.app)])
    }
}
