import STBus
import STContracts
import STPlatform
import Testing

@Suite("Followers of a live stream")
struct FollowerLiveTests {
    @Test("A follower applies events in order, one batch at a time, and collects those that arrive meanwhile")
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

    @Test("A follower drops an event that it has already received, applied or not")
    func duplicates() {
        var follower = Follower(at: 3)
        _ = follower.event(4)

        #expect(follower.event(4) == ["duplicate"])
        #expect(follower.event(2) == ["duplicate"])
        #expect(follower.machine.duplicates == 2)
    }

    @Test("A follower fills a gap from the log before it applies later events")
    func hole() {
        var follower = Follower(at: 3)

        #expect(follower.event(6) == ["gap 4-5", "fetch 3"])
        #expect(follower.event(7) == [])
        #expect(follower.page(4...7, head: 7) == ["apply 4-7"])
        #expect(follower.handle(.applied) == [])
        #expect(follower.event(8) == ["apply 8"])
        #expect(follower.machine.gaps == 1)
    }

    @Test("A beacon reveals that the last event was lost")
    func tailLoss() {
        var follower = Follower(at: 3)
        _ = follower.head(3)

        #expect(follower.head(4) == ["fetch 3"])
        #expect(follower.page(4...4, head: 4) == ["apply 4"])
        #expect(follower.machine.state == .live)
    }

    @Test("Events that arrive during a fetch are applied if they continue the fetched page")
    func rangDuringFetch() {
        var follower = Follower(at: 3)
        _ = follower.head(4)

        #expect(follower.event(5) == [])
        #expect(follower.event(6) == [])
        #expect(follower.event(6) == [])
        #expect(follower.page(4...4, head: 4) == ["apply 4-6"])
        #expect(follower.machine.state == .live)
    }

    @Test("A follower fetches again if events during a fetch do not continue the page")
    func holeDuringFetch() {
        var follower = Follower(at: 3)
        _ = follower.handle(.stalled)

        #expect(follower.event(5) == [])
        #expect(follower.page(nil, head: 3) == ["fetch 3"])
        #expect(follower.page(4...5, head: 5) == ["apply 4-5"])
    }

    @Test("Events of a restored log during a fetch are not applied after the page")
    func restoredDuringFetch() {
        var follower = Follower(at: 3)
        _ = follower.head(4)

        #expect(follower.event(5, log: "restored-") == [])
        #expect(follower.page(4...4, head: 4) == ["fetch 4", "apply 4"])
        #expect(follower.failed("epoch.changed") == [])
        #expect(follower.handle(.applied) == ["snapshot first"])
    }

    @Test("If the log has fewer events than were announced, the follower adopts the log's head")
    func phantom() {
        var follower = Follower(at: 3)

        #expect(follower.head(9) == ["fetch 3"])
        #expect(follower.page(nil, head: 3) == [])
        #expect(follower.machine.latestHead == 3)
        #expect(follower.event(4) == ["apply 4"])
        #expect(follower.handle(.applied) == [])
    }

    @Test("A follower does not fetch without a pause if the log announces events and returns none")
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
        "A follower fetches after silence, a stall and failures, with growing delays between failures"
    )
    func asks() {
        var follower = Follower(at: 3)

        #expect(follower.wake() == ["fetch 3"])
        #expect(follower.now == BootTime(ms: 37_500))
        #expect(follower.failed("deadline.exceeded") == [])
        let first = follower.machine.next
        #expect(follower.wake() == ["fetch 3"])
        #expect(follower.failed("deadline.exceeded") == [])
        #expect(follower.machine.next - follower.now > first - BootTime(ms: 37_500))
        #expect(follower.wake() == ["fetch 3"])
        #expect(follower.page(nil, head: 3) == [])
        #expect(follower.handle(.stalled) == ["fetch 3"])
    }

    @Test("A follower whose loop stalled during a fetch fetches again")
    func stalledDuringFetch() {
        var follower = Follower(at: 3)
        _ = follower.handle(.stalled)

        #expect(follower.handle(.stalled) == [])
        #expect(follower.page(nil, head: 3) == ["fetch 3"])
    }

    @Test("A failed batch is repeated unchanged, and no later event overtakes it")
    func applyFails() {
        var follower = Follower(at: 3)
        _ = follower.event(4)
        _ = follower.event(5)

        #expect(follower.handle(.applyFailed(Problem("store.disk_full", "full"))) == [])
        #expect(follower.event(6) == [])
        #expect(follower.wake() == ["apply 4"])
        #expect(follower.handle(.applied) == ["apply 5-6"])
    }

    @Test("A follower buffers a limited number of events and reads the others from the log")
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
        // The follower fetches only the events that it did not buffer.
        #expect(fetched.first.map { $0 > 1_000 && $0 < head } == true)
    }

    @Test("A follower of an empty stream starts with the first event")
    func first() {
        var follower = Follower()

        #expect(follower.head(0) == [])
        #expect(follower.machine.state == .live)
        #expect(follower.event(1) == ["apply 1"])
    }

    @Test("A follower is live after any head, even if the reply to its marker was lost")
    func lostMarker() {
        var follower = Follower(at: 3)
        #expect(follower.head(3) == [])
        #expect(follower.machine.state == .live)

        var new = Follower()
        #expect(new.head(0) == [])
        #expect(new.machine.state == .live)
    }

    @Test("A new follower starts by reading the whole log")
    func join() {
        var follower = Follower()

        #expect(follower.head(3) == ["fetch all"])
        #expect(follower.page(1...2, head: 3, next: "2") == ["fetch 2", "apply 1-2"])
        #expect(follower.page(3...3, head: 3) == [])
        #expect(follower.handle(.applied) == ["apply 3"])
    }
}
