import STContracts
import STSimulation
import Testing

@Suite("IdleDetector")
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

    private func verdicts(_ waves: StatusRound...) -> [IdleDetector.Verdict] {
        var judge = IdleDetector()
        return waves.map { judge.add($0) }
    }

    @Test("The judge reports quiet after two rounds without a change")
    func twice() {
        let still = StatusRound(statuses: [status("a"), status("b")])
        var later = still
        later.statuses[1].begun = 1

        #expect(verdicts(still, still) == [.busy("something has just happened"), .idle])
        #expect(verdicts(still, later, later).last == .idle)
        guard case .busy(let reason) = verdicts(still, later).last else {
            Issue.record("quiet, though something happened")
            return
        }
        #expect(reason.hasPrefix("something has just happened in b: "), "\(reason)")
    }

    @Test("The judge waits for open requests, running work and its own requests, and names the service")
    func names() {
        let busy = StatusRound(statuses: [status("a"), status("b") { $0.busy = 1 }])
        let jobs = StatusRound(statuses: [status("a") { $0.jobs = 2 }])
        let open = StatusRound(statuses: [status("a") { $0.open = 3 }])
        let own = StatusRound(statuses: [], ownSent: 4, ownHandled: 0, ownOpen: 4)

        for (wave, words) in [
            (busy, "b is doing 1 things"), (jobs, "a still has 2 things"), (open, "a has 3 requests"),
            (own, "4 requests of the simulation"),
        ] {
            guard case .busy(let reason) = verdicts(wave, wave, wave).last else {
                Issue.record("quiet: \(wave)")
                continue
            }
            #expect(reason.hasPrefix(words), "\(reason)")
        }
    }

    @Test(
        "The judge waits several rounds for messages in transit, and then counts them as lost"
    )
    func sums() {
        let sent = StatusRound(statuses: [status("a") { $0.sent = 7 }, status("b") { $0.handled = 6 }])
        var judge = IdleDetector()
        var rounds = 0
        while judge.add(sent) != .idle, rounds < 100 { rounds += 1 }
        #expect((5..<50).contains(rounds))
        #expect(judge.add(sent) == .idle, "what is lost is lost for good")
        var more = sent
        more.statuses[0].sent = 8
        _ = judge.add(more)
        #expect(judge.add(more) == .busy("1 messages are still on their way"))
        more.statuses[1].handled = 7
        _ = judge.add(more)
        #expect(judge.add(more) == .idle)
    }

    @Test("The judge waits until every follower has applied all events of the same log")
    func cursors() {
        func wave(head: StreamPoint, at: StreamPoint, isLive: Bool = true) -> StatusRound {
            StatusRound(statuses: [
                status("a") { $0.heads = [head] },
                status("b") { $0.cursors = [.init(source: "a", at: at, isLive: isLive)] },
            ])
        }
        let behind = wave(head: point(5), at: point(4))
        let elsewhere = wave(head: point(5), at: point(5, epoch: "f"))
        let catching = wave(head: point(5), at: point(5), isLive: false)
        let there = wave(head: point(5), at: point(5))
        let empty = wave(head: point(0), at: point(0, epoch: ""))
        let alone = StatusRound(statuses: [
            status("b") { $0.cursors = [.init(source: "a", at: point(0, epoch: ""), isLive: false)] }
        ])

        #expect(verdicts(behind, behind).last == .busy("b has applied 4 of 5 events of usage"))
        #expect(verdicts(elsewhere, elsewhere).last == .busy("b has applied 5 of 5 events of usage"))
        #expect(verdicts(catching, catching).last == .busy("b is catching up with usage"))
        #expect(verdicts(there, there).last == .idle)
        #expect(verdicts(empty, empty).last == .idle)
        #expect(verdicts(alone, alone).last == .idle, "who takes no part is not waited for")
    }
}
