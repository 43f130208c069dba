package import STContracts
package import STEngine
package import STPlatform
package import STStore

/// Transactions on the agent's own database: they add scripts, and fill and empty the spool.
package enum DesktopSteps {
    private static let playsMax = 16
    /// Upper bound on the observations in the spool. Above it the agent accepts no more, because otherwise the disk would fill.
    private static let waitingMax: Int64 = 200_000
    /// Upper bound on the observations of one script per commit. A script that begins far in the past takes several commits.
    private static let advanceMax = 2_000

    /// Observations of one run, in order.
    package struct Batch: Sendable, Equatable {
        package var run: String
        package var observations: [Observation]

        package init(run: String, observations: [Observation]) {
            self.run = run
            self.observations = observations
        }
    }

    // MARK: - The spool

    /// Adds observations to the spool. Observations whose number is already in the spool are ignored, so a call can be repeated.
    package static func add(_ batch: Batch, state: inout DesktopState, change: StoreTransaction) throws {
        guard state.waiting + Int64(batch.observations.count) <= waitingMax else {
            throw queueFullProblem(
                "desktop.spool_full",
                Message(
                    "desktop.spool_full",
                    """
                    \(state.waiting, "count") observations are waiting for activity-center, so desktop-agent \
                    does not accept more.
                    """
                )
            )
        }
        for seen in batch.observations
        where try DesktopTables.spoolOnce(seen, run: batch.run, change.database) {
            state.seen += 1
            state.waiting += 1
        }
    }

    /// Returns the oldest waiting observations, all of one run. Runs in `except` are skipped.
    package static func next(except: [String], _ database: Database) throws -> Batch? {
        try DesktopTables.next(except: except, limit: UsageObserve.batchMax, database)
    }

    /// Removes accepted observations from the spool.
    ///
    /// `checkAt` is a boot time on the clock of the run's observations. The script sends a confirmation of its state
    /// at that moment.
    package static func discard(
        run: String,
        through sequence: Int64,
        checkAt: BootTime? = nil,
        _ state: inout DesktopState,
        _ change: StoreTransaction
    ) throws {
        state.waiting -= try DesktopTables.discard(run: run, through: sequence, change.database)
        guard let index = state.plays.firstIndex(where: { $0.run == run }) else { return }
        var play = state.plays[index]
        play.check(at: checkAt)
        guard play != state.plays[index] else { return }
        state.plays[index] = play
        try DesktopTables.save(play, change.database)
    }

    /// Moves the waiting observations of a run to a new run, because activity-center has lost the old one.
    package static func renumber(_ old: String, state: inout DesktopState, change: StoreTransaction)
        throws
    {
        let run = Identifier.make(wallMs: change.now.wallMs)
        guard let gone = try DesktopTables.renumber(run: old, to: run, change.database) else { return }
        guard let index = state.plays.firstIndex(where: { $0.run == old }) else { return }
        // Later observations of the script continue the new run.
        try DesktopTables.remove(state.plays[index], change.database)
        state.plays[index].resume(as: run, lessBy: gone)
        try DesktopTables.save(state.plays[index], change.database)
    }

    // MARK: - Scripts

    /// Plays the scripts of a file. Returns false if a file with this content was played before, because a restart of the service
    /// must not count a day twice.
    package static func start(
        _ plays: [DesktopPlay.Request],
        digest: String,
        state: inout DesktopState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> Bool {
        guard try DesktopTables.recordScript(script: digest, change.database) else { return false }
        for script in plays { _ = try play(script, state: &state, context: context, change: change) }
        return true
    }

    static func play(
        _ request: DesktopPlay.Request,
        state: inout DesktopState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> DesktopPlay.Reply {
        try ScriptPlay.check(request)
        guard state.plays.count < playsMax else {
            throw Problem(
                "script.too_many",
                """
                desktop-agent already plays \(playsMax, "most") scripts, which is the limit. Try again \
                later.
                """,
                retryable: true
            )
        }
        guard state.waiting < waitingMax else {
            throw queueFullProblem(
                "script.spool_full",
                Message(
                    "script.spool_full",
                    """
                    \(state.waiting, "count") observations are waiting for activity-center, so desktop-agent \
                    does not accept another script.
                    """
                )
            )
        }
        let play = ScriptPlay(
            run: Identifier.make(wallMs: change.now.wallMs),
            member: request.member,
            start: context.now.wall - .milliseconds(request.agoMs ?? 0),
            zone: context.zone,
            steps: request.steps,
            anchor: .init(bootId: context.bootID, bootMs: context.now.bootMs - (request.agoMs ?? 0))
        )
        try DesktopTables.save(play, change.database)
        state.plays.append(play)
        return DesktopPlay.Reply(steps: Int64(play.steps.count), endsAt: RFC3339.text(wallMs: play.end.ms))
    }

    /// Writes the due observations of all scripts into the spool.
    package static func advance(
        _ state: inout DesktopState,
        context: RequestContext,
        change: StoreTransaction
    ) throws {
        for index in state.plays.indices {
            var play = state.plays[index]
            let wall = play.wall(context.now, bootId: context.bootID)
            let seen = play.advance(to: wall, limit: advanceMax)
            if seen.isEmpty { continue }
            for observation in seen { try DesktopTables.spool(observation, run: play.run, change.database) }
            state.seen += Int64(seen.count)
            state.waiting += Int64(seen.count)
            state.plays[index] = play
            if play.isOver {
                try DesktopTables.remove(play, change.database)
            } else {
                try DesktopTables.save(play, change.database)
            }
        }
        state.plays.removeAll { $0.isOver }
    }

    private static func queueFullProblem(_ code: String, _ text: Message) -> Problem {
        Problem(code, text: text, retryable: true, help: "screentime status")
    }
}
