import STContracts
import STEngine
import STExtensions
import STPlatform
import STServiceKit
import STShieldCore

/// Calls the apps' extensions when a button is pressed.
actor PressCaller {
    private let caller: ShieldCaller
    private let appearances: AppearanceFetcher
    private let timeout: Duration
    /// The calls in progress. A press that is sent twice simultaneously counts once.
    private var pending: [String: Task<PressCall.Reply, any Error>] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { caller.thread.asUnownedSerialExecutor() }

    init(_ caller: ShieldCaller, _ looks: AppearanceFetcher) {
        self.caller = caller
        self.appearances = looks
        timeout = .milliseconds(caller.surroundings.configuration.number(.shieldActionMs))
    }

    func answer(_ request: ShieldPress.Request, _ question: PreparationQuestion) async throws
        -> PressCall.Reply
    {
        let key = "\(request.shield)/\(request.press)/\(request.button.rawValue)"
        if let known = pending[key] { return try await known.value }
        let task = Task(executorPreference: caller.thread, priority: .medium) {
            try await self.fetch(request, question)
        }
        pending[key] = task
        defer { pending[key] = nil }
        return try await task.value
    }

    private func fetch(_ request: ShieldPress.Request, _ question: PreparationQuestion) async throws
        -> PressCall.Reply
    {
        let begun: PressStart
        do {
            begun = try await caller.services.host.step("shield.press.begin", trace: question.trace) {
                try ShieldPresentation.begin(request, state: $0, change: $2)
            }
        } catch let problem as Problem where !problem.retryable {
            // The service rejects the request itself for the same reason.
            return PressCall.Reply()
        }
        guard let job = begun.job else { return PressCall.Reply(isForMore: begun.isForMore) }
        let task = Task(executorPreference: caller.thread, priority: .medium) {
            await self.call(job, request: request, question: question)
        }
        guard let answered = await Deadline.within(timeout, on: caller.thread, { await task.value }) else {
            let problem = ShieldCaller.timedOut(job.app, after: timeout)
            logProblem("action_too_late", problem: problem, job: job)
            return PressCall.Reply(problem: problem)
        }
        var reply = answered
        if reply.response == .defer {
            reply.look = try await appearances.answer(begun.look, question, isFresh: true).answer
        }
        return reply
    }

    private func call(
        _ job: PressJob,
        request: ShieldPress.Request,
        question: PreparationQuestion
    ) async -> PressCall.Reply {
        do {
            // As on a phone, the call for a category's shield contains the category only.
            let target =
                job.target.category.map { ShieldTarget(category: $0) } ?? job.target
            let tokens = try await caller.tokens(
                target,
                app: job.app,
                member: job.member,
                question.trace,
                timeout: timeout
            )
            let outcome = await caller.call(
                .init(
                    spec: caller.spec(
                        job.app,
                        member: job.member,
                        point: .shieldAction,
                        executable: job.executable,
                        bundle: job.bundle,
                        language: request.language
                    ),
                    id: job.call,
                    attempt: job.attempt,
                    method: .handle,
                    body: try Self.body(target, tokens: tokens, request: request),
                    cause: request.shield,
                    trace: question.trace,
                    timeout: timeout
                )
            )
            if let problem = outcome.problem { throw problem }
            return PressCall.Reply(response: try Self.response(outcome.result))
        } catch {
            let problem = Problem(error)
            logProblem("action_failed", problem: problem, job: job)
            return PressCall.Reply(problem: problem)
        }
    }

    private static func body(_ target: ShieldTarget, tokens: [String], request: ShieldPress.Request)
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

    private func logProblem(_ event: StaticString, problem: Problem, job: PressJob) {
        caller.surroundings.log.problem(event, problem, fields: ["app": .text(job.app)])
    }
}
