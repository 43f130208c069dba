import STBus
import STContracts
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

/// How what was seen gets away: changes through the spool, which keeps them over a crash; a beat that has nothing
/// before it goes straight, because all that its loss could cost is the beat itself.
extension DesktopHub {
    private static let beatTimeoutMs: Int64 = 4_000
    private static let lastWriteMs: Int64 = 2_000
    private static let lastWriteStepMs: Int64 = 10
    private static let writeRetry = Backoff(firstMs: 200, limitMs: 10_000)

    func tell() {
        guard let member, watcher.hasReady, !isBeating else { return }
        if watcher.isBeatAlone, underWay == nil, queue.isEmpty, !isWriting {
            isBeating = true
            Task(executorPreference: surroundings.loop.thread, priority: .medium) { await self.beat(member) }
            return
        }
        spool(member)
    }

    private func spool(_ member: String) {
        let run = watcher.run
        // It may never arrive, and its number comes before those that follow.
        if let beat = underWay?.giveAway() { queue.add([beat.observation], of: beat.run) }
        queue.add(watcher.take(member: member, zone: surroundings.time.zone()), of: run)
        guard !isWriting else { return }
        isWriting = true
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await self.write() }
    }

    private func write() async {
        var failures = 0
        while let batch = queue.first {
            do {
                _ = try await host.callSelf(SpoolAdd.self, batch)
                queue.removeFirst()
                failures = 0
            } catch {
                let problem = (error as? Problem) ?? Problem("internal", "\(error)")
                if failures == 0 { surroundings.log.problem("not_written", problem) }
                failures += 1
                guard problem.code != "request.cancelled" else { break }
                if queue.isOverfull {
                    // Better unobserved than out of order.
                    queue = TellingQueue()
                    beginRun()
                }
                await surroundings.loop.thread.pause(ms: Self.writeRetry.delayMs(attempt: failures))
                if Task.isCancelled { break }
            }
        }
        isWriting = false
    }

    private func beat(_ member: String) async {
        let place = try? await host.callSelf(SpoolPeek.self, Empty())
        isBeating = false
        guard place?.hasWaiting == false, watcher.isBeatAlone, queue.isEmpty, !isWriting else {
            return tell(later: member)
        }
        let run = watcher.run
        guard let seen = watcher.take(member: member, zone: surroundings.time.zone()).first else { return }
        underWay = BeatUnderWay(run: run, observation: seen)
        do {
            let request = UsageObserve.Request(
                agent: ServiceName.desktop.rawValue,
                run: run,
                observations: [seen]
            )
            let options = CallOptions(timeoutMs: Self.beatTimeoutMs)
            let reply = try await client.call(UsageObserve.self, request, options)
            underWay = nil
            toldStraight += 1
            accepted(run, checkAt: reply.checkAt)
        } catch {
            // Whoever sends what is in the spool knows what to do about it.
            if let beat = underWay?.giveAway() { queue.add([beat.observation], of: beat.run) }
            underWay = nil
            spool(member)
        }
    }

    private func tell(later member: String) {
        if watcher.hasReady { spool(member) }
    }

    /// The computer sleeps once this has returned, or two seconds later.
    func tellBeforeSleep() async {
        // What was told of this moment comes a turn of the loop later, and its millisecond must be over.
        for _ in 0..<100 {
            await surroundings.loop.thread.pause(ms: 2)
            settle()
            if watcher.isSettled, queue.isEmpty, !isWriting { return }
        }
    }

    /// At the end of the process: what is not written now is lost.
    func tellAll() async {
        guard let member else { return }
        spool(member)
        // A full disk may never take it, and the thread is needed for the rest of the end.
        for _ in 0..<(Self.lastWriteMs / Self.lastWriteStepMs) where isWriting {
            await surroundings.loop.thread.pause(ms: Self.lastWriteStepMs)
        }
    }

    // MARK: - What became of it

    func accepted(_ run: String, checkAt: Int64?) {
        guard run == watcher.run else { return }
        watcher.check(atBootMs: checkAt)
        if let checkAt { for follower in followers { follower.checkComes(atBootMs: checkAt) } }
        settle()
    }

    /// activity-center knows nothing of the run any more: what comes from now on is another one.
    func forgotten(_ run: String) {
        if run == watcher.run { beginRun() }
    }

    private func beginRun() {
        watcher.beginRun(Identifier.make(wallMs: surroundings.time.now().wallMs))
    }

    // MARK: - What other parts of the process know

    /// Apps that have a shield on the screen: time in front of them is no use of them.
    func shielded(_ apps: Set<String>) {
        watcher.shield(apps, now: surroundings.time.now())
        settle()
    }

    /// An app has put a notification before somebody.
    func notified(_ app: String, _ count: Int = 1) {
        watcher.notified(app, Int64(clamping: count), now: surroundings.time.now())
        settle()
    }
}
