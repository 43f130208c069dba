import STBus
import STContracts
import STPlatform
import Testing

@Suite("Followers of a replaced log")
struct FollowerRebuildTests {
    @Test("After an event of another epoch, a follower asks the log and rebuilds if the log confirms it")
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
        #expect(follower.machine.latestHead == 6)
    }

    @Test("A late message does not cause a rebuild")
    func late() {
        var follower = Follower(at: 7)

        #expect(follower.head(5) == ["fetch 7"])
        #expect(follower.page(nil, head: 7) == [])
        #expect(follower.event(9, epoch: "old") == ["fetch 7"])
        #expect(follower.page(nil, head: 7) == [])
        #expect(follower.machine.applied == Follower.point(7))
        #expect(follower.event(8) == ["apply 8"])
    }

    @Test("After a rebuild, a follower uses the numbers of the new log")
    func numbers() {
        var follower = Follower(at: 90)
        _ = follower.head(2, epoch: "f")
        _ = follower.failed("epoch.changed")
        _ = follower.page(1...2, head: 2, epoch: "f")
        _ = follower.handle(.applied)
        _ = follower.page(nil, head: 2, epoch: "f")

        #expect(follower.machine.latestHead == 2)
        #expect(follower.event(3, epoch: "f") == ["apply 3"])
        #expect(follower.handle(.applied) == [])
    }

    @Test("A restored backup is detected by the id at the cursor", arguments: [true, false])
    func sameNumber(isHead: Bool) {
        var follower = Follower(at: 7)

        let effects = isHead ? follower.head(7, log: "restored-") : follower.event(7, log: "restored-")

        #expect(effects == ["fetch 7"])
        #expect(follower.failed("epoch.changed") == ["snapshot first"])
    }

    @Test("An event of a restored log is not applied after the events of the log before it")
    func nextNumber() {
        var follower = Follower(at: 7)

        #expect(follower.event(8, log: "restored-") == ["fetch 7"])
        #expect(follower.failed("epoch.changed") == ["snapshot first"])
    }

    @Test("A follower asks the log if the head is behind its cursor")
    func cursorAhead() {
        var follower = Follower(at: 7)

        #expect(follower.head(4) == ["fetch 7"])
        #expect(follower.failed("epoch.changed") == ["snapshot first"])
    }

    @Test("A follower rebuilds if the log has removed the events after its cursor")
    func tooOld() {
        var follower = Follower(at: 7)
        _ = follower.head(900)

        #expect(follower.failed("cursor.too_old") == ["snapshot first"])
    }

    @Test("A snapshot starts again if one of its pages could not be read or applied")
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

    @Test("A follower finishes the current batch before it starts a snapshot")
    func waits() {
        var follower = Follower(at: 7)
        _ = follower.event(8)

        #expect(follower.head(3, epoch: "f") == ["fetch 8"])
        #expect(follower.failed("epoch.changed") == [])
        #expect(follower.machine.state == .rebuilding)
        #expect(follower.wake() == [])
        #expect(follower.handle(.applied) == ["snapshot first"])
    }

    @Test("A batch that cannot be applied is discarded if its log was replaced")
    func poison() {
        var follower = Follower(at: 7)
        _ = follower.event(8)
        _ = follower.head(3, epoch: "f")
        _ = follower.failed("epoch.changed")

        #expect(follower.handle(.applyFailed(Problem("store.constraint", "no"))) == ["snapshot first"])
    }

    @Test("A batch that waits for its repetition is discarded if its log was replaced")
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

    @Test("An unfinished rebuild starts again, and no event is applied before it")
    func unfinished() {
        var heard = Follower(isRebuilding: true)
        #expect(heard.head(5) == ["snapshot first"])
        var live = Follower(isRebuilding: true)
        #expect(live.event(1) == ["snapshot first"])
        var silent = Follower(isRebuilding: true)
        #expect(silent.wake() == ["snapshot first"])
    }
}
