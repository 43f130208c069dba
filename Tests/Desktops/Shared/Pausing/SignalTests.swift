import Glibc
import STContracts
import STDesktop
import STPausing
import STPlatform
import STTestSupport
import Testing

extension RealProcesses {
    @Suite("Pausing with signals")
    struct SignalTests {
        /// Five processes in three levels.
        private static let family = "(sleep 600 & sleep 600 & wait) & sleep 600"

        @Test("Signals pause and resume all processes of an app")
        func wholeTree() async throws {
            let desk = try Desk()
            let app = try ProcessTree(Self.family)
            #expect(app.has(5))

            var outcome: PauseOutcome?
            let pauseMs = await Desk.milliseconds {
                outcome = await desk.pauser.pause(app: "app", pids: [app.root])
            }

            #expect(outcome == .paused(.signal, processes: app.entries.count))
            #expect(comesTrue { app.isAllStopped })
            #expect(desk.journal.entries().flatMap(\.keys).map(\.pid).sorted() == app.pids.sorted())
            // A second call is harmless.
            #expect(await desk.pauser.pause(app: "app", pids: [app.root]) == outcome)

            let thawMs = await Desk.milliseconds { await desk.pauser.thaw(app: "app") }

            #expect(app.isNoneStopped)
            #expect(desk.journal.entries() == [])
            await desk.pauser.thaw(app: "app")
            print("pausing: by signals \(pauseMs) ms, thawed in \(thawMs) ms, \(app.entries.count) processes")
            await desk.pauser.close()
        }

        @Test("An app that constantly starts processes is paused completely, and no new process appears")
        func forks() async throws {
            let desk = try Desk()
            let app = try ProcessTree(
                "w() { while :; do /bin/true; done; }; w & w & (w & w & wait) & while :; do (sleep 0.002 &) & wait; done"
            )
            #expect(app.has(5))

            for _ in 0..<10 {
                let outcome = await desk.pauser.pause(app: "app", pids: [app.root])
                guard case .paused(.signal, let count) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(count >= 5)
                // Check twice, because a new process may start after the first check. A process that leaves the kernel counts as
                // running until the scheduler stops it.
                let before = app.entries
                #expect(comesTrue { app.isAllStopped }, "\(app.entries.filter { !$0.isStopped })")
                _ = poll(nil, 0, 30)
                #expect(comesTrue { app.isAllStopped }, "\(app.entries.filter { !$0.isStopped })")
                #expect(Set(app.entries.map(\.key)) == Set(before.map(\.key)))
                await desk.pauser.thaw(app: "app")
                #expect(app.isNoneStopped)
            }
            await desk.pauser.close()
        }

        @Test("A bounded fork bomb is paused completely")
        func forkBomb() async throws {
            let desk = try Desk()
            let app = try ProcessTree(
                "b() { if [ $1 -gt 0 ]; then b $(($1-1)) & b $(($1-1)) & fi; sleep 600; }; b 6"
            )
            #expect(app.has(20))

            let outcome = await desk.pauser.pause(app: "app", pids: [app.root])

            guard case .paused(.signal, let count) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(comesTrue { app.isAllStopped })
            #expect(app.entries.count == count)
            print("pausing: a fork bomb was held at \(count) processes")
            await desk.pauser.thaw(app: "app")
            #expect(app.isNoneStopped)
            #expect(app.has(count))
            await desk.pauser.close()
        }

        @Test(
            "An app that keeps replacing its process is paused or refused, and resumed afterwards",
            arguments: ["", "sleep 0.02;"]
        )
        func fleeing(rest: String) async throws {
            let desk = try Desk()
            let app = try ProcessTree("h() { \(rest) h & }; h & sleep 600")
            #expect(app.has(2))

            switch await desk.pauser.pause(app: "app", pids: [app.root]) {
            case .paused:
                // Or it waits in the kernel for a stopped child.
                #expect(
                    comesTrue { ProcessView.entry(app.root).map { $0.isStopped || $0.isWaiting } == true }
                )
            case .refused(let reason):
                #expect(reason.english.contains("faster"))
                #expect(comesTrue { app.isNoneStopped })
            }

            await desk.pauser.thawAll()
            #expect(comesTrue { app.isNoneStopped })
            #expect(desk.journal.entries() == [])
            await desk.pauser.close()
        }

        @Test("A process that another program has stopped is neither paused nor resumed")
        func foreign() async throws {
            let desk = try Desk()
            let app = try ProcessTree("sleep 600 & sleep 600")
            #expect(app.has(3))
            let other = try #require(app.pids.first { $0 != app.root })
            kill(other, SIGSTOP)
            #expect(comesTrue { ProcessView.entry(other)?.isStopped == true })

            #expect(await desk.pauser.pause(app: "app", pids: [app.root]) == .paused(.signal, processes: 2))
            #expect(comesTrue { app.isAllStopped })
            await desk.pauser.thaw(app: "app")

            #expect(app.entries.filter(\.isStopped).map(\.pid) == [other])
            await desk.pauser.close()
        }

        @Test("An app that is killed, or continued by another program, while paused leaves nothing stopped")
        func killedAndContinued() async throws {
            let desk = try Desk()
            let one = try ProcessTree(Self.family)
            let other = try ProcessTree(Self.family)
            #expect(one.has(5) && other.has(5))
            _ = await desk.pauser.pause(app: "one", pids: [one.root])
            _ = await desk.pauser.pause(app: "other", pids: [other.root])

            for pid in one.pids { kill(pid, SIGKILL) }
            kill(other.root, SIGCONT)
            #expect(comesTrue { one.entries.isEmpty && ProcessView.entry(other.root)?.isStopped == false })
            // Paused again after it was continued.
            #expect(
                await desk.pauser.pause(app: "other", pids: [other.root]) == .paused(.signal, processes: 5)
            )
            #expect(comesTrue { other.isAllStopped })
            kill(other.root, SIGCONT)
            await desk.pauser.thaw(app: "one")
            await desk.pauser.thaw(app: "other")

            #expect(comesTrue { other.isNoneStopped })
            #expect(desk.journal.entries() == [])
            await desk.pauser.close()
        }

        @Test("A stopped process that reuses a process ID from the journal is not resumed")
        func reusedNumber() async throws {
            let desk = try Desk()
            let stranger = try ProcessTree("exec sleep 600")
            #expect(stranger.has(1))
            kill(stranger.root, SIGSTOP)
            #expect(comesTrue { ProcessView.entry(stranger.root)?.isStopped == true })
            let key = try #require(ProcessKey(running: stranger.root))
            let boot = SystemTimeSource().bootID
            try desk.journal.append(
                .signal(app: "gone", boot: boot, [ProcessKey(pid: key.pid, start: key.start - 1)])
            )

            let report = AppThaw(journal: desk.journal).thawAll()

            #expect(report.apps == [AppThaw.App(app: "gone", means: .signal, processes: 0, isFree: true)])
            #expect(ProcessView.entry(stranger.root)?.isStopped == true)
            #expect(desk.journal.entries() == [])
            await desk.pauser.close()
        }

        @Test("A paused app that is ended handles SIGTERM when it is resumed")
        func ending() async throws {
            let desk = try Desk()
            let path = desk.scratch.file("saved")
            let app = try ProcessTree(
                "trap 'echo saved >\(path); exit 0' TERM; echo ready >\(path); while :; do sleep 0.05; done"
            )
            #expect(comesTrue { ScratchDirectory.text(path) == "ready\n" })
            _ = await desk.pauser.pause(app: "app", pids: [app.root])

            let count = await desk.pauser.end(app: "app", pids: [app.root])

            #expect(count >= 1)
            #expect(app.process.wait(deadlineMs: 20_000) == .exited(0))
            #expect(ScratchDirectory.text(path) == "saved\n")
            #expect(desk.journal.entries() == [])
            await desk.pauser.close()
        }
    }
}
