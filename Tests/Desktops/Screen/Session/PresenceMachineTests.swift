import STContracts
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Presence of the person")
struct PresenceMachineTests {
    private static let idleAfter = Duration.seconds(120)
    private static let watching = Duration.seconds(4 * 3_600)
    private static let film = FrontApp(id: "org.example.films", pids: [10, 11])
    private static let player = MediaPlayer(name: "films", desktopEntry: "org.example.films", pid: 10)

    private func machine() -> PresenceMachine {
        var machine = PresenceMachine(idleAfter: Self.idleAfter, watching: Self.watching)
        machine.apply(.screen(isKnown: true), now: .ms(1_000))
        return machine
    }

    @Test("Presence is unobserved until the screen is known, and active from then on")
    func begins() {
        var machine = PresenceMachine(idleAfter: Self.idleAfter, watching: Self.watching, now: .ms(500))
        #expect(machine.state.presence == .unobserved && machine.state.since == .ms(500))
        let changed = machine.apply(.screen(isKnown: true), now: .ms(1_000))
        #expect(changed && machine.state.presence == .active && machine.state.since == .ms(1_000))
        machine.apply(.screen(isKnown: false), now: .ms(2_000))
        #expect(machine.state.presence == .unobserved)
        machine.apply(.session(.locked(true, at: .ms(2_500))), now: .ms(2_500))
        #expect(machine.state.presence == .locked)
    }

    @Test(
        "A film in the foreground and a full-screen app are busy, and music in the background is not"
    )
    func busy() {
        var machine = machine()
        machine.apply(.front(Self.film), now: .ms(2_000))
        #expect(!machine.state.isBusy)
        machine.apply(.session(.playing([Self.player], at: .ms(3_000))), now: .ms(3_000))
        #expect(machine.state.isBusy)
        machine.apply(.front(FrontApp(id: "editor", pids: [20])), now: .ms(4_000))
        #expect(!machine.state.isBusy)
        machine.apply(.front(FrontApp(id: "editor", pids: [20], isFullscreen: true)), now: .ms(5_000))
        #expect(machine.state.isBusy)
        machine.apply(.session(.locked(true, at: .ms(6_000))), now: .ms(6_000))
        #expect(!machine.state.isBusy)
    }

    @Test("Idle and active presence begin at the times of the input")
    func moments() {
        var machine = machine()
        machine.apply(.idle(since: .ms(10_000)), now: .ms(130_400))
        #expect(machine.state.presence == .idle && machine.state.since == .ms(130_000))
        #expect(machine.due == nil)
        machine.apply(.touched(at: .ms(200_000)), now: .ms(200_700))
        #expect(machine.state.presence == .active && machine.state.since == .ms(200_000))
        #expect(machine.state.lastInput == .ms(200_000))
        // A touch from before the idle interval does not count.
        machine.apply(.idle(since: .ms(200_000)), now: .ms(320_000))
        machine.apply(.touched(at: .ms(199_000)), now: .ms(320_100))
        #expect(machine.state.presence == .idle)
        // Impossible moments are limited to the possible range.
        machine.apply(.touched(at: .ms(.max)), now: .ms(400_000))
        #expect(machine.state.presence == .active && machine.state.since == .ms(400_000))
        machine.apply(.touched(at: .ms(.min)), now: .ms(400_001))
        #expect(machine.state.lastInput == .ms(400_000))
    }

    @Test("The last sign of a person is the last input or the end of a film")
    func signs() {
        var machine = machine()
        #expect(machine.state.lastInput == nil && !machine.state.isInputContinuing)
        machine.apply(.quiet(since: .ms(10_000)), now: .ms(25_000))
        #expect(machine.state.presence == .active && machine.due == nil)
        #expect(machine.state.lastInput == .ms(10_000) && !machine.state.isInputContinuing)
        machine.apply(.touched(at: .ms(40_000)), now: .ms(40_000))
        #expect(machine.state.lastInput == .ms(40_000) && machine.state.isInputContinuing)
        machine.apply(.quiet(since: .ms(50_000)), now: .ms(65_000))
        machine.apply(.front(Self.film), now: .ms(66_000))
        machine.apply(.session(.playing([Self.player], at: .ms(67_000))), now: .ms(67_000))
        machine.apply(.idle(since: .ms(50_000)), now: .ms(170_000))
        #expect(machine.state.presence == .active && machine.state.isInputContinuing)
        machine.apply(.session(.playing([], at: .ms(900_000))), now: .ms(900_000))
        #expect(machine.state.presence == .idle && machine.state.lastInput == .ms(900_000))
        #expect(!machine.state.isInputContinuing)
    }

    @Test(
        "A film in the foreground keeps presence active for the configured time, and not at all if it is zero"
    )
    func watchingSet() {
        for (set, due) in [(Duration.zero, nil), (.seconds(600), BootTime(ms: 605_000))] {
            var machine = PresenceMachine(idleAfter: Self.idleAfter, watching: set)
            machine.apply(.screen(isKnown: true), now: .ms(1_000))
            machine.apply(.front(Self.film), now: .ms(2_000))
            machine.apply(.session(.playing([Self.player], at: .ms(3_000))), now: .ms(3_000))
            machine.apply(.idle(since: .ms(5_000)), now: .ms(125_000))
            #expect(machine.state.presence == (set == .zero ? .idle : .active))
            #expect(machine.due == due)
        }
    }

    @Test("A film in the foreground keeps presence active, and music in the background does not")
    func films() {
        var machine = machine()
        machine.apply(.front(Self.film), now: .ms(2_000))
        machine.apply(.session(.playing([Self.player], at: .ms(3_000))), now: .ms(3_000))
        machine.apply(.idle(since: .ms(5_000)), now: .ms(125_000))
        #expect(machine.state.presence == .active && machine.state.why.contains("plays in front"))
        // Not for ever: until four hours after the last touch.
        #expect(machine.due == .ms(5_000) + Self.watching)
        machine.apply(.front(.init(id: "editor", pids: [20])), now: .ms(130_000))
        #expect(machine.state.presence == .idle && machine.state.since == .ms(130_000))
        // Its own inhibitor changes nothing, but that of another app does.
        let own = IdleInhibitor(who: "films", why: "", pid: 10)
        machine.apply(.session(.inhibitors([own], at: .ms(131_000))), now: .ms(131_000))
        #expect(machine.state.presence == .idle)
        let other = IdleInhibitor(who: "Call", why: "You talk", pid: 99)
        machine.apply(.session(.inhibitors([own, other], at: .ms(132_000))), now: .ms(132_000))
        #expect(machine.state.presence == .active && machine.state.why.contains("Call") == true)
        machine.apply(.front(nil), now: .ms(133_000))
        #expect(machine.state.presence == .idle)
        machine.apply(.front(Self.film), now: .ms(134_000))
        machine.apply(.session(.locked(true, at: .ms(135_000))), now: .ms(135_000))
        #expect(machine.state.presence == .locked)
    }

    @Test("A media player is matched to the foreground app by process, desktop entry, name or full screen")
    func matches() {
        let cases: [(FrontApp, MediaPlayer, Presence)] = [
            (.init(id: "firefox-esr", pids: [7]), .init(name: "firefox.instance_1_2", pid: 7), .active),
            (
                .init(id: "org.mozilla.firefox"), .init(name: "x", desktopEntry: "Org.Mozilla.Firefox"),
                .active
            ),
            (.init(id: "vlc"), .init(name: "vlc", pid: 3), .active),
            (.init(id: "vlc"), .init(name: "vlc.instance77", pid: 3), .active),
            (.init(id: "vlc"), .init(name: "vlcx", pid: 3), .idle),
            (.init(id: "game"), .init(name: "odd"), .idle),
            (.init(id: "game", isFullscreen: true), .init(name: "odd"), .active),
            (.init(id: "game", isFullscreen: true), .init(name: "music", pid: 3), .idle),
        ]
        for (front, player, wanted) in cases {
            var machine = machine()
            machine.apply(.front(front), now: .ms(2_000))
            machine.apply(.session(.playing([player], at: .ms(3_000))), now: .ms(3_000))
            machine.apply(.idle(since: .ms(5_000)), now: .ms(125_000))
            #expect(machine.state.presence == wanted, "\(front) \(player)")
        }
    }

    @Test("Presence is the strongest of suspended, away and locked, and active without any of them")
    func order() {
        var machine = machine()
        machine.apply(.session(.locked(true, at: .ms(2_000))), now: .ms(2_000))
        #expect(machine.state.presence == .locked)
        machine.apply(.session(.inFront(false, at: .ms(3_000))), now: .ms(3_000))
        #expect(machine.state.presence == .away)
        machine.apply(.session(.sleeping(at: .ms(4_000))), now: .ms(4_000))
        #expect(machine.state.presence == .suspended)
        machine.apply(.session(.woken(at: .ms(5_000))), now: .ms(5_000))
        #expect(machine.state.presence == .away)
        machine.apply(.session(.inFront(true, at: .ms(6_000))), now: .ms(6_000))
        #expect(machine.state.presence == .locked)
        machine.apply(.session(.locked(false, at: .ms(7_000))), now: .ms(7_500))
        #expect(machine.state.presence == .active && machine.state.since == .ms(7_000))
    }

    @Test("Unlocking makes presence active until the idle time has passed")
    func unlocked() {
        var machine = machine()
        machine.apply(.session(.locked(true, at: .ms(2_000))), now: .ms(2_000))
        machine.apply(.idle(since: .ms(2_000)), now: .ms(122_000))
        machine.apply(.session(.locked(false, at: .ms(500_000))), now: .ms(500_010))
        #expect(machine.state.presence == .active && machine.state.since == .ms(500_000))
        #expect(machine.state.lastInput == .ms(500_000) && machine.due == .ms(620_000))
        machine.apply(.timeElapsed, now: .ms(620_020))
        #expect(machine.state.presence == .idle && machine.state.since == .ms(620_000))
        #expect(machine.due == nil)
    }

    @Test("A request to lock counts as locked, and no longer after the person has worked on behind it")
    func wishes() {
        var machine = machine()
        machine.apply(.session(.lockAsked(at: .ms(2_000))), now: .ms(2_000))
        #expect(machine.state.presence == .locked && machine.due == .ms(132_000))
        machine.apply(.touched(at: .ms(3_000)), now: .ms(3_000))
        #expect(machine.state.presence == .locked)
        machine.apply(.idle(since: .ms(3_000)), now: .ms(123_000))
        machine.apply(.timeElapsed, now: .ms(200_000))
        #expect(machine.state.presence == .locked)
        machine.apply(.touched(at: .ms(300_000)), now: .ms(300_001))
        #expect(machine.state.presence == .active && machine.state.since == .ms(300_000))

        // The user requests a lock repeatedly, and continues to work.
        machine.apply(.session(.lockAsked(at: .ms(310_000))), now: .ms(310_000))
        machine.apply(.timeElapsed, now: .ms(440_000))
        #expect(machine.state.presence == .active)
        machine.apply(.session(.lockAsked(at: .ms(450_000))), now: .ms(450_000))
        #expect(machine.state.presence == .active)
        // A real lock restores the credibility of requests.
        machine.apply(.session(.locked(true, at: .ms(460_000))), now: .ms(460_000))
        machine.apply(.session(.locked(false, at: .ms(470_000))), now: .ms(470_000))
        machine.apply(.session(.lockAsked(at: .ms(480_000))), now: .ms(480_000))
        #expect(machine.state.presence == .locked)
        machine.apply(.session(.unlockAsked(at: .ms(490_000))), now: .ms(490_000))
        #expect(machine.state.presence == .active)
    }

    @Test("A lock under which the person keeps working is ignored, and one with occasional input counts")
    func hollowLock() {
        var machine = machine()
        machine.apply(.session(.locked(true, at: .ms(2_000))), now: .ms(2_000))
        #expect(machine.state.presence == .locked && machine.due == .ms(192_000))
        machine.apply(.timeElapsed, now: .ms(192_000))
        #expect(machine.state.presence == .active && machine.state.why.contains("does not count as locked"))
        machine.apply(.session(.locked(true, at: .ms(193_000))), now: .ms(193_000))
        #expect(machine.state.presence == .active)
        machine.apply(.session(.locked(false, at: .ms(200_000))), now: .ms(200_000))

        machine.apply(.session(.locked(true, at: .ms(210_000))), now: .ms(210_000))
        #expect(machine.state.presence == .locked)
        machine.apply(.idle(since: .ms(210_000)), now: .ms(330_000))
        for hour in Int64(1)...5 {
            let now = BootTime(ms: hour * 3_600_000)
            machine.apply(.touched(at: now), now: now)
            machine.apply(.idle(since: now), now: now + Self.idleAfter)
            #expect(machine.state.presence == .locked)
        }
        // After a long sleep, without an idle report of the screen.
        machine.apply(.touched(at: .ms(20_000_000)), now: .ms(20_000_000))
        machine.apply(.session(.sleeping(at: .ms(20_001_000))), now: .ms(20_001_000))
        machine.apply(.session(.woken(at: .ms(50_000_000))), now: .ms(50_000_000))
        #expect(machine.state.presence == .locked)
    }

    @Test(
        "An inhibitor of another window's process is ignored, and the app's own counts for at most four hours"
    )
    func foreignInhibitor() {
        var machine = machine()
        machine.apply(.front(.init(id: "editor", pids: [20], others: [30])), now: .ms(2_000))
        let foreign = IdleInhibitor(who: "Browser", why: "A film", pid: 30)
        machine.apply(.session(.inhibitors([foreign], at: .ms(3_000))), now: .ms(3_000))
        machine.apply(.idle(since: .ms(5_000)), now: .ms(125_000))
        #expect(machine.state.presence == .idle)
        let own = IdleInhibitor(who: "Editor", why: "A talk", pid: 20)
        machine.apply(.session(.inhibitors([own], at: .ms(130_000))), now: .ms(130_000))
        #expect(machine.state.presence == .active)
        let end = BootTime(ms: 5_000) + Self.watching
        #expect(machine.due == end)
        machine.apply(.timeElapsed, now: end)
        #expect(machine.state.presence == .idle && machine.due == nil)
    }

    // MARK: - Random sequences

    @Test(
        "Under random inputs presence agrees with a plain reference, and its times never run backwards",
        arguments: 0..<40
    )
    func random(_ number: Int) {
        let given = ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
        let seed = given ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds()) &+ UInt64(number)
        var random = SeededRandom(seed: seed)
        var machine = PresenceMachine(idleAfter: .seconds(60), watching: Self.watching)
        var reference = PresenceReference(idleAfter: .seconds(60), watching: Self.watching)
        var now = BootTime(ms: 1_000)
        // The end of a film is also a sign of a person.
        var hasWatched = false
        for step in 0..<60 {
            now = now + .milliseconds(random.number(0...40_000))
            if let due = machine.due, due > now, random.chance(percent: 30) { now = due }
            let before = machine.state
            let input = Self.input(&random, now)
            reference.history.append((input, now))
            hasWatched = hasWatched || reference.isWatched
            let changed = machine.apply(input, now: now)
            let state = machine.state
            #expect(
                state.presence == reference.presence
                    && (state.lastInput == reference.input
                        || hasWatched && state.lastInput ?? .ms(0) > reference.input ?? .ms(0)),
                "seed \(seed) step \(step): \(state) after \(input) at \(now)"
            )
            #expect(changed == (state.presence != before.presence))
            #expect(state.since >= before.since && state.since <= now)
            #expect(changed || state.since == before.since)
            if let due = machine.due { #expect(due > now, "seed \(seed) step \(step)") }
        }
    }

    private static func input(_ random: inout SeededRandom, _ now: BootTime) -> PresenceInput {
        let at =
            now - .milliseconds(random.number(0...5_000)) + (random.chance(percent: 5) ? .seconds(20) : .zero)
        switch random.number(0...15) {
        case 0: return .quiet(since: now - .milliseconds(random.number(0...90_000)))
        case 1, 2: return .idle(since: now - .milliseconds(random.number(0...90_000)))
        case 3, 4: return .touched(at: at)
        case 5: return .input(at: at)
        case 6: return .screen(isKnown: random.chance(percent: 85))
        case 7: return .session(.locked(random.chance(percent: 40), at: at))
        case 8:
            return .session(
                random.chance(percent: 70) ? .lockAsked(at: at) : .unlockAsked(at: at)
            )
        case 9: return .session(.inFront(random.chance(percent: 70), at: at))
        case 10:
            return .session(random.chance(percent: 30) ? .sleeping(at: at) : .woken(at: at))
        case 11:
            let list = (0..<random.number(0...2)).map { _ in
                IdleInhibitor(who: "a", why: "", pid: random.chance(percent: 80) ? random.number(1...4) : nil)
            }
            return .session(.inhibitors(list, at: at))
        case 12:
            let list = (0..<random.number(0...2)).map { _ in
                MediaPlayer(
                    name: random.pick(["one", "two", "odd"]) ?? "",
                    desktopEntry: random.chance(percent: 40) ? random.pick(["one", "two"]) : nil,
                    pid: random.chance(percent: 60) ? random.number(1...4) : nil
                )
            }
            return .session(.playing(list, at: at))
        case 13, 14:
            guard random.chance(percent: 85) else { return .front(nil) }
            let app = FrontApp(
                id: random.pick(["one", "two"]) ?? "",
                pids: [random.number(1...4)],
                isFullscreen: random.chance(percent: 30),
                others: [random.number(1...4)]
            )
            return .front(app)
        default: return .timeElapsed
        }
    }
}
