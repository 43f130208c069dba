import STContracts
import STEngine
import STExtensions
import STPlatform
import STRendering
import STReportCore
import STServiceKit
import STZeroMQ

/// Runs the apps' extensions to make their reports, and keeps the latest reports to be fetched.
actor RenderAsker {
    private let caller: ExtensionCaller<ReportState>
    private let output: OutputWriter<ReportState>
    private let failures: DataFailures
    private let deadlineMs: Int64
    private var shelf = PageShelf()
    private var underWay = 0
    private var underWayOf: [String: Int] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        caller.asking.surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ caller: ExtensionCaller<ReportState>,
        _ output: OutputWriter<ReportState>,
        _ failures: DataFailures
    ) {
        self.caller = caller
        self.output = output
        self.failures = failures
        deadlineMs = caller.asking.surroundings.configuration.number(.reportMs)
    }

    func answer(_ request: RenderAsk.Request, _ question: PreparationQuestion) async -> RenderAsk.Reply {
        do {
            if let refusal = request.refusal { throw Refused(problem: refusal) }
            guard underWay < ReportLimits.renders else { throw Refused(problem: ReportProblem.busy) }
            // An extension that hangs must not block the others.
            guard underWayOf[request.app, default: 0] < ReportLimits.rendersOfApp else {
                throw Refused(problem: ReportProblem.appBusy)
            }
            underWay += 1
            underWayOf[request.app, default: 0] += 1
            defer {
                underWay -= 1
                let left = underWayOf[request.app, default: 1] - 1
                underWayOf[request.app] = left > 0 ? left : nil
            }
            return try await make(request, question)
        } catch {
            let refused = (error as? Refused) ?? Refused(problem: Problem(error))
            if !refused.isSaid { say(refused.problem, request) }
            caller.asking.surroundings.log.problem(
                "report_not_made",
                refused.problem,
                ["app": .text(request.app), "context": .text(request.context ?? "")]
            )
            return RenderAsk.Reply(problem: refused.problem)
        }
    }

    /// Returns a piece of a kept report.
    ///
    /// Everyone in the report must still allow the app to see their usage, and must not have deleted any of it.
    func piece(_ asked: PieceAsk.Request, _ question: PreparationQuestion) async -> PieceAsk.Reply {
        let request = asked.piece
        guard let made = shelf.page(request.report) else {
            return PieceAsk.Reply(problem: ReportProblem.gone)
        }
        guard made.generation == asked.generation else {
            shelf.remove(request.report)
            return PieceAsk.Reply(problem: ReportProblem.gone)
        }
        guard let bytes = made.piece(request.piece) else {
            return PieceAsk.Reply(problem: ReportProblem.noPiece)
        }
        do {
            try await check(made.app, made.people, question)
            let isLast = request.piece == Int64(made.pieces) - 1
            return PieceAsk.Reply(piece: .init(bytes: Base64.encode(Array(bytes)), isLast: isLast))
        } catch {
            let problem = Problem(error)
            if !problem.retryable { shelf.remove(request.report) }
            return PieceAsk.Reply(problem: problem)
        }
    }

    // MARK: - Making

    /// The reason why there is no report. `isSaid` is true if the app's log already contains it.
    private struct Refused: Error {
        var problem: Problem
        var isSaid = false
    }

    private func look(_ request: RenderAsk.Request, _ question: PreparationQuestion) async throws -> RenderJob
    {
        try await caller.asking.host.look("report.render.look", trace: question.trace) { state, context, _ in
            try Hosting.handlers.job(request, state, context)
        }
    }

    private func make(_ request: RenderAsk.Request, _ question: PreparationQuestion) async throws
        -> RenderAsk.Reply
    {
        let startMs = Stopwatch.milliseconds()
        let job = try await look(request, question)
        let report = Identifier.make(wallMs: caller.asking.surroundings.time.now().wallMs)
        failures.begin(report)
        let outcome = await call(job, report, question)
        let failure = failures.end(report)
        // A report with missing data is rejected, with the reason.
        if let failure { throw Refused(problem: failure) }
        if let problem = outcome.problem {
            throw Refused(problem: ReportProblem.told(problem, job), isSaid: !outcome.lastLines.isEmpty)
        }
        let (contexts, bytes) = try await Self.checked(outcome.result)
        guard let context = job.context else { return RenderAsk.Reply(contexts: contexts) }
        guard let bytes else {
            throw contexts.contains(context)
                ? ReportProblem.nothing(job) : ReportProblem.unknownContext(job, contexts)
        }
        // In the meantime a permission may have been revoked, or a member added.
        let after = try await look(request, question)
        let people = Set(job.people + after.people).sorted()
        try await check(job.app, people, question)
        let made = PageShelf.Made(app: job.app, people: people, generation: job.generation, bytes: bytes)
        shelf.keep(made, as: report)
        return RenderAsk.Reply(
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

    private func call(_ job: RenderJob, _ id: String, _ question: PreparationQuestion) async
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
                wallMs: caller.asking.surroundings.time.now().wallMs,
                deadlineMs: deadlineMs
            )
            let spec = caller.spec(
                job.app,
                job.member,
                .report,
                job.executable,
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
            else { throw ReportProblem.garbage }
            // People see the names of the reports.
            let contexts = result.contexts.prefix(ReportLimits.contexts).map {
                TextFormat.fitting($0, bytes: ReportLimits.contextBytes)
            }
            guard let page = result.page else { return (contexts, nil) }
            try PageCheck.check(page)
            return (contexts, try page.encodedBody())
        }.value
    }

    private func check(_ app: String, _ people: [String], _ question: PreparationQuestion) async throws {
        for member in people {
            let reply = try await caller.asking.client.call(
                AuthCheck.self,
                AuthCheck.Request(app: app, member: member, tokens: []),
                CallOptions(trace: question.trace.next())
            )
            if let problem = ReportPermission.problem(reply.authorization) { throw problem }
        }
    }

    // MARK: - Telling

    /// Writes the problem into the app's log for its developer, unless the app is not installed.
    private func say(_ problem: Problem, _ request: RenderAsk.Request) {
        guard problem.code != "app.not_installed" else { return }
        let surroundings = caller.asking.surroundings
        output.hear(
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
struct PageShelf {
    struct Made {
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
    private var kept: [(report: String, made: Made)] = []

    mutating func keep(_ made: Made, as report: String) {
        if kept.count >= ReportLimits.pages { kept.removeFirst() }
        kept.append((report, made))
    }

    mutating func page(_ report: String) -> Made? {
        guard let index = kept.firstIndex(where: { $0.report == report }) else { return nil }
        let entry = kept.remove(at: index)
        kept.append(entry)
        return entry.made
    }

    mutating func remove(_ report: String) { kept.removeAll { $0.report == report } }
}
