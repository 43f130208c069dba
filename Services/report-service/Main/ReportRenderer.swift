import STContracts
import STEngine
import STExtensions
import STPlatform
import STRendering
import STReportCore
import STServiceKit
import STZeroMQ

/// Runs the apps' extensions to make their reports, and keeps the latest reports to be fetched.
actor ReportRenderer {
    private let caller: ExtensionCaller<ReportState>
    private let output: OutputWriter<ReportState>
    private let failures: DataFailures
    private let timeout: Duration
    private var pages = PageCache()
    private var pendingCount = 0
    private var pendingByApp: [String: Int] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        caller.requester.surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ caller: ExtensionCaller<ReportState>,
        output: OutputWriter<ReportState>,
        failures: DataFailures
    ) {
        self.caller = caller
        self.output = output
        self.failures = failures
        timeout = .milliseconds(caller.requester.surroundings.configuration.number(.reportMs))
    }

    func answer(_ request: RenderCall.Request, _ question: PreparationQuestion) async -> RenderCall.Reply {
        do {
            if let refusal = request.refusal { throw Refused(problem: refusal) }
            guard pendingCount < ReportLimits.renders else { throw Refused(problem: ReportProblem.busy) }
            // An extension that hangs must not block the others.
            guard pendingByApp[request.app, default: 0] < ReportLimits.rendersOfApp else {
                throw Refused(problem: ReportProblem.appBusy)
            }
            pendingCount += 1
            pendingByApp[request.app, default: 0] += 1
            defer {
                pendingCount -= 1
                let left = pendingByApp[request.app, default: 1] - 1
                pendingByApp[request.app] = left > 0 ? left : nil
            }
            return try await render(request, question)
        } catch {
            let refused = (error as? Refused) ?? Refused(problem: Problem(error))
            if !refused.isLogged { log(refused.problem, request) }
            caller.requester.surroundings.log.problem(
                "report_not_made",
                refused.problem,
                fields: ["app": .text(request.app), "context": .text(request.context ?? "")]
            )
            return RenderCall.Reply(problem: refused.problem)
        }
    }

    /// Returns a piece of a kept report.
    ///
    /// Everyone in the report must still allow the app to see their usage, and must not have deleted any of it.
    func piece(_ asked: PieceQuery.Request, _ question: PreparationQuestion) async -> PieceQuery.Reply {
        let request = asked.piece
        guard let made = pages.page(request.report) else {
            return PieceQuery.Reply(problem: ReportProblem.gone)
        }
        guard made.generation == asked.generation else {
            pages.remove(request.report)
            return PieceQuery.Reply(problem: ReportProblem.gone)
        }
        guard let bytes = made.piece(request.piece) else {
            return PieceQuery.Reply(problem: ReportProblem.noPiece)
        }
        do {
            try await check(made.app, people: made.people, question: question)
            let isLast = request.piece == Int64(made.pieces) - 1
            return PieceQuery.Reply(piece: .init(bytes: Base64.encode(Array(bytes)), isLast: isLast))
        } catch {
            let problem = Problem(error)
            if !problem.retryable { pages.remove(request.report) }
            return PieceQuery.Reply(problem: problem)
        }
    }

    // MARK: - Making

    /// The reason why there is no report. `isSaid` is true if the app's log already contains it.
    private struct Refused: Error {
        var problem: Problem
        var isLogged = false
    }

    private func renderJob(_ request: RenderCall.Request, _ question: PreparationQuestion) async throws
        -> RenderJob
    {
        try await caller.requester.host.readStore("report.render.look", trace: question.trace) {
            state,
            context,
            _ in
            try Hosting.handlers.job(request, state: state, context: context)
        }
    }

    private func render(_ request: RenderCall.Request, _ question: PreparationQuestion) async throws
        -> RenderCall.Reply
    {
        let startMs = Stopwatch.milliseconds()
        let job = try await renderJob(request, question)
        let report = Identifier.make(wallMs: caller.requester.surroundings.time.now().wallMs)
        failures.begin(report)
        let outcome = await call(job, id: report, question: question)
        let failure = failures.end(report)
        // A report with missing data is rejected, with the reason.
        if let failure { throw Refused(problem: failure) }
        if let problem = outcome.problem {
            throw Refused(
                problem: ReportProblem.appFailure(problem, job),
                isLogged: !outcome.lastLines.isEmpty
            )
        }
        let (contexts, bytes) = try await Self.checked(outcome.result)
        guard let context = job.context else { return RenderCall.Reply(contexts: contexts) }
        guard let bytes else {
            throw contexts.contains(context)
                ? ReportProblem.nothing(job) : ReportProblem.unknownContext(job, contexts)
        }
        // In the meantime a permission may have been revoked, or a member added.
        let after = try await renderJob(request, question)
        let people = Set(job.people + after.people).sorted()
        try await check(job.app, people: people, question: question)
        let made = PageCache.RenderedPage(
            app: job.app,
            people: people,
            generation: job.generation,
            bytes: bytes
        )
        pages.insert(made, as: report)
        return RenderCall.Reply(
            made: ReportRender.Reply(
                report: report,
                app: job.app,
                context: context,
                pieces: Int64(made.pieces),
                bytes: Int64(bytes.count),
                tookMs: Stopwatch.milliseconds() - startMs
            )
        )
    }

    private func call(_ job: RenderJob, id: String, question: PreparationQuestion) async
        -> ExtensionOutcome
    {
        let body = ReportCallBody(
            context: job.context,
            filter: job.filter,
            language: job.language,
            zone: job.zone
        )
        let method: ReportMethod = job.context == nil ? .contexts : .makeReport
        do {
            let call = ExtensionCall(
                id: id,
                attempt: 1,
                method: method.rawValue,
                body: try JSONValue(text: body.encodedBody()),
                wallMs: caller.requester.surroundings.time.now().wallMs,
                deadlineMs: timeout.ms
            )
            let spec = caller.spec(
                job.app,
                member: job.member,
                point: .report,
                executable: job.executable,
                bundle: job.bundle,
                language: job.language
            )
            return await caller.call(
                spec,
                ExtensionJob(
                    call: call,
                    cause: question.cause,
                    trace: question.trace,
                    startByBootMs: question.deadlineBootMs
                )
            )
        } catch {
            return ExtensionOutcome(problem: Problem(error))
        }
    }

    /// Returns the checked list of an extension's reports, and its page.
    ///
    /// Runs outside the loop, because a page can have a megabyte.
    private static func checked(_ value: JSONValue?) async throws -> ([String], [UInt8]?) {
        try await Task.detached {
            guard let value, value != .null,
                let result = try? ReportCallResult.decodedBody(value.text)
            else { throw ReportProblem.invalidReply }
            // People see the names of the reports.
            let contexts = result.contexts.prefix(ReportLimits.contexts).map {
                TextFormat.truncated($0, bytes: ReportLimits.contextBytes)
            }
            guard let page = result.page else { return (contexts, nil) }
            try PageCheck.check(page)
            return (contexts, try page.encodedBody())
        }.value
    }

    private func check(_ app: String, people: [String], question: PreparationQuestion) async throws {
        for member in people {
            let reply = try await caller.requester.client.call(
                AuthCheck.self,
                AuthCheck.Request(app: app, member: member, tokens: []),
                options: CallOptions(trace: question.trace.next())
            )
            if let problem = ReportPermission.problem(reply.authorization) { throw problem }
        }
    }

    // MARK: - Telling

    /// Writes the problem into the app's log for its developer, unless the app is not installed.
    private func log(_ problem: Problem, _ request: RenderCall.Request) {
        guard problem.code != "app.not_installed" else { return }
        let surroundings = caller.requester.surroundings
        output.receive(
            ExtensionLine(
                app: request.app,
                member: request.member ?? "",
                wallMs: surroundings.time.now().wallMs,
                source: .host,
                level: "error",
                text: problem.message
            )
        )
    }
}

/// The latest reports, with an upper bound.
struct PageCache {
    struct RenderedPage {
        var app: String
        /// The members whose usage the report may show.
        var people: [String]
        /// Generation of the figures from which it was made.
        var generation: Int64
        /// The page as JSON.
        var bytes: [UInt8]

        /// Number of pieces, at least one, so that a caller who fetches the page gets its end.
        var pieces: Int { max(1, (bytes.count + ReportRender.pieceBytes - 1) / ReportRender.pieceBytes) }

        func piece(_ number: Int64) -> ArraySlice<UInt8>? {
            guard (0..<Int64(pieces)).contains(number) else { return nil }
            let start = Int(number) * ReportRender.pieceBytes
            return bytes[start..<min(bytes.count, start + ReportRender.pieceBytes)]
        }
    }

    /// The reports, the most recently used last.
    private var pages: [(report: String, made: RenderedPage)] = []

    mutating func insert(_ made: RenderedPage, as report: String) {
        if pages.count >= ReportLimits.pages { pages.removeFirst() }
        pages.append((report, made))
    }

    mutating func page(_ report: String) -> RenderedPage? {
        guard let index = pages.firstIndex(where: { $0.report == report }) else { return nil }
        let entry = pages.remove(at: index)
        pages.append(entry)
        return entry.made
    }

    mutating func remove(_ report: String) { pages.removeAll { $0.report == report } }
}
