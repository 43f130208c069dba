import STBus
import STContracts
import STPlatform
import Testing

@Suite("A follower of a stream, when the log is another one")
struct FollowerRebuildTests {
    @Test("asks the log about another epoch, and rebuilds when the log says so")
    func epoch() {
        var follower = Follower(at: 3)

        #expect(follower.event(1, epoch: "f") == ["fetch 3"])
        #expect(follower.failed("epoch.changed") == ["snapshot first"])
        #expect(follower.page(1...2, head: 5, epoch: "f", next: "2") == ["restore 1-2 first"])
        #expect(follower.event(6, epoch: "f") == [])
        #expect(follower.handle(.applied) == ["snapshot 2"])
        #expect(follower.page(5...5, head: 5, epoch: "f") == ["restore 5 to 5"])
        #expect(follower.handle(.applied) == ["fetch 5"])
        #expect(follower.machine.applied == Follower.point(5, epoch: "f"))
        #expect(follower.page(6...6, head: 6, epoch: "f") == ["apply 6"])
        #expect(follower.machine.state == .live)
        #expect(follower.machine.headSeen == 6)
    }

    @Test("does not rebuild for a message that is only late")
    func late() {
        var follower = Follower(at: 7)

        #expect(follower.head(5) == ["fetch 7"])
        #expect(follower.page(nil, head: 7) == [])
        #expect(follower.event(9, epoch: "old") == ["fetch 7"])
        #expect(follower.page(nil, head: 7) == [])
        #expect(follower.machine.applied == Follower.point(7))
        #expect(follower.event(8) == ["apply 8"])
    }

    @Test("forgets the numbers of the log before, and is not behind them for ever")
    func numbers() {
        var follower = Follower(at: 90)
        _ = follower.head(2, epoch: "f")
        _ = follower.failed("epoch.changed")
        _ = follower.page(1...2, head: 2, epoch: "f")
        _ = follower.handle(.applied)
        _ = follower.page(nil, head: 2, epoch: "f")

        #expect(follower.machine.headSeen == 2)
        #expect(follower.event(3, epoch: "f") == ["apply 3"])
        #expect(follower.handle(.applied) == [])
    }

    @Test("knows a restored backup by the id at its cursor", arguments: [true, false])
    func sameNumber(isHead: Bool) {
        var follower = Follower(at: 7)

        let effects = isHead ? follower.head(7, log: "restored-") : follower.event(7, log: "restored-")

        #expect(effects == ["fetch 7"])
        #expect(follower.failed("epoch.changed") == ["snapshot first"])
    }

    @Test("does not put the events of a restored log on top of those of the log before")
    func nextNumber() {
        var follower = Follower(at: 7)

        #expect(follower.event(8, log: "restored-") == ["fetch 7"])
        #expect(follower.failed("epoch.changed") == ["snapshot first"])
    }

    @Test("asks the log when the head is behind the cursor")
    func cursorAhead() {
        var follower = Follower(at: 7)

        #expect(follower.head(4) == ["fetch 7"])
        #expect(follower.failed("epoch.changed") == ["snapshot first"])
    }

    @Test("rebuilds when the events after its cursor were tidied away")
    func tooOld() {
        var follower = Follower(at: 7)
        _ = follower.head(900)

        #expect(follower.failed("cursor.too_old") == ["snapshot first"])
    }

    @Test("begins a snapshot again when a page of it could not be read or kept")
    func middle() {
        var follower = Follower(at: 7)
        _ = follower.head(900)
        _ = follower.failed("cursor.too_old")
        #expect(follower.page(1...2, head: 900, next: "2") == ["restore 1-2 first"])
        #expect(follower.handle(.applied) == ["snapshot 2"])

        #expect(follower.failed("deadline.exceeded") == [])
        #expect(follower.wake() == ["snapshot first"])
        #expect(follower.failed("epoch.changed") == ["snapshot first"])
        #expect(follower.page(1...2, head: 900, next: "2") == ["restore 1-2 first"])
        #expect(follower.handle(.applyFailed(Problem("store.disk_full", "full"))) == [])
        #expect(follower.wake() == ["snapshot first"])
        #expect(follower.page(1...2, head: 2) == ["restore 1-2 first to 2"])
        #expect(follower.handle(.applied) == ["fetch 2"])
    }

    @Test("waits for a batch that is being applied before it begins a snapshot")
    func waits() {
        var follower = Follower(at: 7)
        _ = follower.event(8)

        #expect(follower.head(3, epoch: "f") == ["fetch 8"])
        #expect(follower.failed("epoch.changed") == [])
        #expect(follower.machine.state == .rebuilding)
        #expect(follower.wake() == [])
        #expect(follower.handle(.applied) == ["snapshot first"])
    }

    @Test("lets go of a batch that cannot be applied when its log is no more")
    func poison() {
        var follower = Follower(at: 7)
        _ = follower.event(8)
        _ = follower.head(3, epoch: "f")
        _ = follower.failed("epoch.changed")

        #expect(follower.handle(.applyFailed(Problem("store.constraint", "no"))) == ["snapshot first"])
    }

    @Test("lets go of a batch that was waiting to be repeated")
    func poisonWaiting() {
        var follower = Follower(at: 7)
        _ = follower.event(8)
        _ = follower.handle(.applyFailed(Problem("store.constraint", "no")))
        _ = follower.head(3, epoch: "f")

        #expect(follower.failed("epoch.changed") == ["snapshot first"])
        #expect(follower.page(1...3, head: 3, epoch: "f") == ["restore 1-3 first to 3"])
        #expect(follower.wake() == [])
        #expect(follower.handle(.applied) == ["fetch 3"])
        #expect(follower.machine.applied == Follower.point(3, epoch: "f"))
    }

    @Test("begins the rebuild again that the last run did not end, and applies nothing on top of it")
    func unfinished() {
        var heard = Follower(isRebuilding: true)
        #expect(heard.head(5) == ["snapshot first"])
        var live = Follower(isRebuilding: true)
        #expect(live.event(1) == ["snapshot first"])
        var silent = Follower(isRebuilding: true)
        #expect(silent.wake() == ["snapshot first"])
    }
}
