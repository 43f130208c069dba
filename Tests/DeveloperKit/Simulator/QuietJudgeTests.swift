import STContracts
import STSimulation
import Testing

@Suite("The judge of quiet")
struct QuietJudgeTests {
    private func status(_ service: String, _ change: (inout ClockStatus.Reply) -> Void = { _ in })
        -> ClockStatus.Reply
    {
        var status = ClockStatus.Reply(service: service, pid: 1)
        change(&status)
        return status
    }

    private func point(_ sequence: Int64, epoch: String = "e") -> StreamPoint {
        StreamPoint(stream: "usage", epoch: epoch, sequence: sequence, id: nil)
    }

    private func verdicts(_ waves: ClockWave...) -> [QuietJudge.Verdict] {
        var judge = QuietJudge()
        return waves.map { judge.hear($0) }
    }

    @Test("The judge says quiet at the second round in which nothing has changed and each service rests")
    func twice() {
        let still = ClockWave(statuses: [status("a"), status("b")])
        var later = still
        later.statuses[1].begun = 1

        #expect(verdicts(still, still) == [.restless("something has just happened"), .quiet])
        #expect(verdicts(still, later, later).last == .quiet)
        guard case .restless(let reason) = verdicts(still, later).last else {
            Issue.record("quiet, though something happened")
            return
        }
        #expect(reason.hasPrefix("something has just happened in b: "), "\(reason)")
    }

    @Test("waits for what is open, written, done, and asked by the simulation itself, and names who")
    func names() {
        let busy = ClockWave(statuses: [status("a"), status("b") { $0.busy = 1 }])
        let jobs = ClockWave(statuses: [status("a") { $0.jobs = 2 }])
        let open = ClockWave(statuses: [status("a") { $0.open = 3 }])
        let own = ClockWave(statuses: [], ownSent: 4, ownHandled: 0, ownOpen: 4)

        for (wave, words) in [
            (busy, "b is doing 1 things"), (jobs, "a still has 2 things"), (open, "a has 3 requests"),
            (own, "4 requests of the simulation"),
        ] {
            guard case .restless(let reason) = verdicts(wave, wave, wave).last else {
                Issue.record("quiet: \(wave)")
                continue
            }
            #expect(reason.hasPrefix(words), "\(reason)")
        }
    }

    @Test(
        "waits for messages that have left and not come, but not for ever: a process may have died with them"
    )
    func sums() {
        let sent = ClockWave(statuses: [status("a") { $0.sent = 7 }, status("b") { $0.handled = 6 }])
        var judge = QuietJudge()
        var rounds = 0
        while judge.hear(sent) != .quiet, rounds < 100 { rounds += 1 }
        #expect((5..<50).contains(rounds))
        #expect(judge.hear(sent) == .quiet, "what is lost is lost for good")
        var more = sent
        more.statuses[0].sent = 8
        _ = judge.hear(more)
        #expect(judge.hear(more) == .restless("1 messages are still on their way"))
        more.statuses[1].handled = 7
        _ = judge.hear(more)
        #expect(judge.hear(more) == .quiet)
    }

    @Test("waits until every follower stands at the head of the stream it follows, in the same log")
    func cursors() {
        func wave(head: StreamPoint, at: StreamPoint, isLive: Bool = true) -> ClockWave {
            ClockWave(statuses: [
                status("a") { $0.heads = [head] },
                status("b") { $0.cursors = [.init(source: "a", at: at, isLive: isLive)] },
            ])
        }
        let behind = wave(head: point(5), at: point(4))
        let elsewhere = wave(head: point(5), at: point(5, epoch: "f"))
        let catching = wave(head: point(5), at: point(5), isLive: false)
        let there = wave(head: point(5), at: point(5))
        let empty = wave(head: point(0), at: point(0, epoch: ""))
        let alone = ClockWave(statuses: [
            status("b") { $0.cursors = [.init(source: "a", at: point(0, epoch: ""), isLive: false)] }
        ])

        #expect(verdicts(behind, behind).last == .restless("b has applied 4 of 5 events of usage"))
        #expect(verdicts(elsewhere, elsewhere).last == .restless("b has applied 5 of 5 events of usage"))
        #expect(verdicts(catching, catching).last == .restless("b is catching up with usage"))
        #expect(verdicts(there, there).last == .quiet)
        #expect(verdicts(empty, empty).last == .quiet)
        #expect(verdicts(alone, alone).last == .quiet, "who takes no part is not waited for")
    }
}
