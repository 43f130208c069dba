import STBus
import STContracts
import STPlatform
import Testing

@Suite("A follower of a stream, live")
struct FollowerLiveTests {
    @Test("applies in order, one batch at a time, and gathers what comes meanwhile")
    func order() {
        var follower = Follower(at: 3)

        #expect(follower.head(3) == [])
        #expect(follower.event(4) == ["apply 4"])
        #expect(follower.event(5) == [])
        #expect(follower.event(6) == [])
        #expect(follower.handle(.applied) == ["apply 5-6"])
        #expect(follower.machine.applied == Follower.point(4))
        #expect(follower.handle(.applied) == [])
        #expect(follower.machine.applied == Follower.point(6))
        #expect(follower.machine.state == .live)
    }

    @Test("drops what it has had, applied or not")
    func duplicates() {
        var follower = Follower(at: 3)
        _ = follower.event(4)

        #expect(follower.event(4) == ["duplicate"])
        #expect(follower.event(2) == ["duplicate"])
        #expect(follower.machine.duplicates == 2)
    }

    @Test("fills a hole from the log before anything later is applied")
    func hole() {
        var follower = Follower(at: 3)

        #expect(follower.event(6) == ["gap 4-5", "fetch 3"])
        #expect(follower.event(7) == [])
        #expect(follower.page(4...7, head: 7) == ["apply 4-7"])
        #expect(follower.handle(.applied) == [])
        #expect(follower.event(8) == ["apply 8"])
        #expect(follower.machine.gaps == 1)
    }

    @Test("sees the loss of the last event by a beacon")
    func tailLoss() {
        var follower = Follower(at: 3)
        _ = follower.head(3)

        #expect(follower.head(4) == ["fetch 3"])
        #expect(follower.page(4...4, head: 4) == ["apply 4"])
        #expect(follower.machine.state == .live)
    }

    @Test("applies what came while the answer was on its way, as far as it follows the answer")
    func rangDuringFetch() {
        var follower = Follower(at: 3)
        _ = follower.head(4)

        #expect(follower.event(5) == [])
        #expect(follower.event(6) == [])
        #expect(follower.event(6) == [])
        #expect(follower.page(4...4, head: 4) == ["apply 4-6"])
        #expect(follower.machine.state == .live)
    }

    @Test("reads on when what came meanwhile does not follow the answer")
    func holeDuringFetch() {
        var follower = Follower(at: 3)
        _ = follower.handle(.stalled)

        #expect(follower.event(5) == [])
        #expect(follower.page(nil, head: 3) == ["fetch 3"])
        #expect(follower.page(4...5, head: 5) == ["apply 4-5"])
    }

    @Test("does not put what came meanwhile of a restored log on top of the answer")
    func restoredDuringFetch() {
        var follower = Follower(at: 3)
        _ = follower.head(4)

        #expect(follower.event(5, log: "restored-") == [])
        #expect(follower.page(4...4, head: 4) == ["fetch 4", "apply 4"])
        #expect(follower.failed("epoch.changed") == [])
        #expect(follower.handle(.applied) == ["snapshot first"])
    }

    @Test("believes the log when it has less than was heard, and is not behind for ever")
    func phantom() {
        var follower = Follower(at: 3)

        #expect(follower.head(9) == ["fetch 3"])
        #expect(follower.page(nil, head: 3) == [])
        #expect(follower.machine.headSeen == 3)
        #expect(follower.event(4) == ["apply 4"])
        #expect(follower.handle(.applied) == [])
    }

    @Test("does not ask without end when a log says that there is more and does not give it")
    func stuckLog() {
        var follower = Follower(at: 3)
        _ = follower.head(9)

        #expect(follower.page(nil, head: 9) == [])
        #expect(follower.wake() == ["fetch 3"])
        #expect(follower.page(6...9, head: 9) == [])
        #expect(follower.wake() == ["fetch 3"])
        #expect(follower.page(4...9, head: 9) == ["apply 4-9"])
    }

    @Test(
        "asks after a silence, after its own loop stood still, and after a failure, a little later each time"
    )
    func asks() {
        var follower = Follower(at: 3)

        #expect(follower.wake() == ["fetch 3"])
        #expect(follower.nowMs == 37_500)
        #expect(follower.failed("deadline.exceeded") == [])
        let first = follower.machine.nextMs
        #expect(follower.wake() == ["fetch 3"])
        #expect(follower.failed("deadline.exceeded") == [])
        #expect(follower.machine.nextMs - follower.nowMs > first - 37_500)
        #expect(follower.wake() == ["fetch 3"])
        #expect(follower.page(nil, head: 3) == [])
        #expect(follower.handle(.stalled) == ["fetch 3"])
    }

    @Test("asks again when its loop stood still while an answer was on its way")
    func stalledDuringFetch() {
        var follower = Follower(at: 3)
        _ = follower.handle(.stalled)

        #expect(follower.handle(.stalled) == [])
        #expect(follower.page(nil, head: 3) == ["fetch 3"])
    }

    @Test("repeats a failed batch as it was, and nothing overtakes it")
    func applyFails() {
        var follower = Follower(at: 3)
        _ = follower.event(4)
        _ = follower.event(5)

        #expect(follower.handle(.applyFailed(Problem("store.disk_full", "full"))) == [])
        #expect(follower.event(6) == [])
        #expect(follower.wake() == ["apply 4"])
        #expect(follower.handle(.applied) == ["apply 5-6"])
    }

    @Test("keeps a bounded number of events and reads the rest from the log")
    func overflow() {
        let head: Int64 = 25_000
        var follower = Follower(at: 0)
        var effects = follower.event(1)
        for sequence in 2...head { effects += follower.event(sequence) }
        #expect(effects == ["apply 1"])

        var fetched: [Int64] = []
        var turns = 0
        while !effects.isEmpty, turns < 1_000 {
            turns += 1
            let after = effects.compactMap { $0.hasPrefix("fetch ") ? Int64($0.dropFirst(6)) : nil }.first
            fetched += [after].compactMap { $0 }
            var next = after.map { follower.page($0 + 1...min($0 + 500, head), head: head) } ?? []
            if effects.contains(where: { $0.hasPrefix("apply") }) { next += follower.handle(.applied) }
            effects = next
        }

        #expect(follower.machine.applied == Follower.point(head))
        #expect(follower.machine.duplicates == 0)
        // What was kept is not asked for again, and what was not is.
        #expect(fetched.first.map { $0 > 1_000 && $0 < head } == true)
    }

    @Test("begins with the first event of a stream that was empty")
    func first() {
        var follower = Follower()

        #expect(follower.head(0) == [])
        #expect(follower.machine.state == .live)
        #expect(follower.event(1) == ["apply 1"])
    }

    @Test("has joined when it hears any head, even if the answer to its marker was lost")
    func lostMarker() {
        var follower = Follower(at: 3)
        #expect(follower.head(3) == [])
        #expect(follower.machine.state == .live)

        var new = Follower()
        #expect(new.head(0) == [])
        #expect(new.machine.state == .live)
    }

    @Test("begins with the whole log when it has never followed it")
    func join() {
        var follower = Follower()

        #expect(follower.head(3) == ["fetch all"])
        #expect(follower.page(1...2, head: 3, next: "2") == ["fetch 2", "apply 1-2"])
        #expect(follower.page(3...3, head: 3) == [])
        #expect(follower.handle(.applied) == ["apply 3"])
    }
}
