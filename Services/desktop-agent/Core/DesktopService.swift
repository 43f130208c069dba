import STContracts
package import STEngine
import STPlatform

/// The scripted source of observations, and the spool that keeps them until they are accepted.
package enum DesktopService {
    private static let playsMax = 16
    /// Observations that wait to be accepted; beyond it no further script is taken, or the disk would fill.
    private static let waitingMax: Int64 = 200_000
    /// As much of a script as one commit writes; a long past is written in several.
    private static let advanceMax = 2_000

    /// `facts` is what the process knows beside its database, mostly of the screen; `heard` is told of each change of
    /// what is shielded, before it is on the disk, and `panels` of what panels are about.
    package static func definition(
        facts: DesktopFacts = DesktopFacts(),
        language: String = "en",
        shields: ShieldBoard = ShieldBoard(),
        panels: PanelFollowing = PanelFollowing { _ in },
        heard: @escaping @Sendable (ShieldPolicy) -> Void = { _ in }
    ) -> ServiceDefinition<DesktopState> {
        ServiceDefinition(
            name: .desktop,
            migrations: DesktopStore.migrations,
            load: {
                let state = try DesktopStore.load($0)
                heard(state.policy)
                return state
            },
            routes: [
                .read(DesktopStatus.self) { state, _, _ in status(state, facts.sight) },
                .read(DesktopDoctor.self) { _, _, _ in try facts.answer(DesktopDoctor.self, Empty()) },
                .read(DesktopWindows.self) { _, request, _ in try facts.answer(DesktopWindows.self, request)
                },
                .read(DesktopCatalogue.self) { _, request, _ in
                    try facts.answer(DesktopCatalogue.self, request)
                },
                .read(DesktopShields.self) { _, _, _ in shields.reply },
                .write(SpoolAdd.self) { state, request, _, change in
                    try add(request, &state, change)
                    return Empty()
                },
                .write(DesktopPlay.self) { state, request, context, change in
                    try play(request, &state, context, change)
                },
                .write(ScriptStart.self) { state, request, context, change in
                    guard try DesktopStore.remember(script: request.digest, change.database) else {
                        return ScriptStart.Reply(isNew: false)
                    }
                    for script in request.plays { _ = try play(script, &state, context, change) }
                    return ScriptStart.Reply(isNew: true)
                },
                .write(SpoolAdvance.self) { state, _, context, change in
                    try advance(&state, context, change)
                    return Empty()
                },
                .read(SpoolPeek.self) { state, _, context in
                    SpoolPeek.Reply(hasWaiting: state.hasWaiting, nextBootMs: state.nextBootMs(context))
                },
                .query(SpoolNext.self) { _, request, _, database in
                    try DesktopStore.next(except: request.except, limit: UsageObserve.batchMax, database)
                },
                .write(SpoolDone.self) { state, request, _, change in
                    let gone = try DesktopStore.letGo(
                        run: request.run,
                        through: request.through,
                        change.database
                    )
                    state.waiting -= gone
                    try check(request, &state, change)
                    return Empty()
                },
                .write(SpoolRenumber.self) { state, request, _, change in
                    try renumber(request.run, &state, change)
                    return Empty()
                },
            ],
            subscriptions: PolicyFollowing(language: language, alsoOfPeople: panels.take, heard: heard)
                .subscriptions
                + [panels.notifications]
        )
    }

    private static func status(_ state: DesktopState, _ sight: DesktopFacts.Sight?) -> DesktopStatus.Reply {
        let isPlaying = !state.plays.isEmpty
        guard let sight, !isPlaying else {
            let isScripted = isPlaying || (sight == nil && state.hasWaiting)
            return DesktopStatus.Reply(
                source: isScripted ? "scripted" : "none",
                reason: isScripted
                    ? "a script says who looks at what"
                    : "The desktop has not been looked at so far, and no script is being played.",
                seen: state.seen,
                waiting: state.waiting
            )
        }
        return DesktopStatus.Reply(
            source: sight.source.rawValue,
            reason: sight.reason,
            seen: state.seen + sight.told,
            waiting: state.waiting,
            isBlind: sight.isBlind,
            wayOut: sight.wayOut,
            member: sight.member,
            presence: sight.presence,
            app: sight.app
        )
    }

    private static func add(
        _ request: SpoolAdd.Request,
        _ state: inout DesktopState,
        _ change: StoreTransaction
    ) throws {
        guard state.waiting + Int64(request.observations.count) <= waitingMax else {
            throw Problem(
                "desktop.spool_full",
                "\(state.waiting) observations wait to be accepted by activity-center, so no further one is taken.",
                retryable: true,
                help: "screentime status"
            )
        }
        for seen in request.observations
        where try DesktopStore.spoolOnce(seen, run: request.run, change.database) {
            state.seen += 1
            state.waiting += 1
        }
    }

    private static func play(
        _ request: DesktopPlay.Request,
        _ state: inout DesktopState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> DesktopPlay.Reply {
        try ScriptPlay.check(request)
        guard state.plays.count < playsMax else {
            throw Problem(
                "script.too_many",
                "At most \(playsMax) scripts are played at a time.",
                retryable: true
            )
        }
        guard state.waiting < waitingMax else {
            throw Problem(
                "script.spool_full",
                "\(state.waiting) observations wait to be accepted by activity-center, so no further script is taken.",
                retryable: true,
                help: "screentime status"
            )
        }
        let play = ScriptPlay(
            run: Identifier.make(wallMs: change.now.wallMs),
            member: request.member,
            startWallMs: context.now.wallMs - (request.agoMs ?? 0),
            zone: context.zone,
            steps: request.steps,
            anchor: .init(bootId: context.bootID, bootMs: context.now.bootMs - (request.agoMs ?? 0))
        )
        try DesktopStore.save(play, change.database)
        state.plays.append(play)
        return DesktopPlay.Reply(steps: Int64(play.steps.count), endsAt: RFC3339.text(wallMs: play.endWallMs))
    }

    private static func renumber(_ old: String, _ state: inout DesktopState, _ change: StoreTransaction)
        throws
    {
        let run = Identifier.make(wallMs: change.now.wallMs)
        guard let gone = try DesktopStore.renumber(run: old, to: run, change.database) else { return }
        guard let index = state.plays.firstIndex(where: { $0.run == old }) else { return }
        // What the script has yet to tell follows what was renumbered.
        try DesktopStore.remove(state.plays[index], change.database)
        state.plays[index].goOn(as: run, lessBy: gone)
        try DesktopStore.save(state.plays[index], change.database)
    }

    private static func check(
        _ request: SpoolDone.Request,
        _ state: inout DesktopState,
        _ change: StoreTransaction
    ) throws {
        guard let index = state.plays.firstIndex(where: { $0.run == request.run }) else { return }
        var play = state.plays[index]
        play.check(atBootMs: request.checkAt)
        guard play != state.plays[index] else { return }
        state.plays[index] = play
        try DesktopStore.save(play, change.database)
    }

    private static func advance(
        _ state: inout DesktopState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws {
        for index in state.plays.indices {
            var play = state.plays[index]
            let wallMs = play.wallMs(context.now, bootId: context.bootID)
            let seen = play.advance(toWallMs: wallMs, limit: advanceMax)
            if seen.isEmpty { continue }
            for observation in seen { try DesktopStore.spool(observation, run: play.run, change.database) }
            state.seen += Int64(seen.count)
            state.waiting += Int64(seen.count)
            state.plays[index] = play
            if play.isOver {
                try DesktopStore.remove(play, change.database)
            } else {
                try DesktopStore.save(play, change.database)
            }
        }
        state.plays.removeAll { $0.isOver }
    }
}
