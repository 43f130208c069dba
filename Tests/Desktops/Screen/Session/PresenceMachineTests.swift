import STContracts
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Presence of the person")
struct PresenceMachineTests {
    private static let idleMs: Int64 = 120_000
    private static let watchingMs: Int64 = 4 * 3_600_000
    private static let film = FrontApp(id: "org.example.films", pids: [10, 11])
    private static let player = MediaPlayer(name: "films", desktopEntry: "org.example.films", pid: 10)

    private func machine() -> PresenceMachine {
        var machine = PresenceMachine(idleAfterMs: Self.idleMs, watchingMs: Self.watchingMs)
        machine.apply(.screen(isKnown: true), nowBootMs: 1_000)
        return machine
    }

    @Test("Presence is unobserved until the screen is known, and active from then on")
    func begins() {
        var machine = PresenceMachine(idleAfterMs: Self.idleMs, watchingMs: Self.watchingMs, bootMs: 500)
        #expect(machine.state.presence == .unobserved && machine.state.sinceBootMs == 500)
        let changed = machine.apply(.screen(isKnown: true), nowBootMs: 1_000)
        #expect(changed && machine.state.presence == .active && machine.state.sinceBootMs == 1_000)
        machine.apply(.screen(isKnown: false), nowBootMs: 2_000)
        #expect(machine.state.presence == .unobserved)
        machine.apply(.session(.locked(true, atBootMs: 2_500)), nowBootMs: 2_500)
        #expect(machine.state.presence == .locked)
    }

    @Test(
        "A film in the foreground and a full-screen app are busy, and music in the background is not"
    )
    func busy() {
        var machine = machine()
        machine.apply(.front(Self.film), nowBootMs: 2_000)
        #expect(!machine.state.isBusy)
        machine.apply(.session(.playing([Self.player], atBootMs: 3_000)), nowBootMs: 3_000)
        #expect(machine.state.isBusy)
        machine.apply(.front(FrontApp(id: "editor", pids: [20])), nowBootMs: 4_000)
        #expect(!machine.state.isBusy)
        machine.apply(.front(FrontApp(id: "editor", pids: [20], isFullscreen: true)), nowBootMs: 5_000)
        #expect(machine.state.isBusy)
        machine.apply(.session(.locked(true, atBootMs: 6_000)), nowBootMs: 6_000)
        #expect(!machine.state.isBusy)
    }

    @Test("Idle and active presence begin at the times of the input")
    func moments() {
        var machine = machine()
        machine.apply(.idle(sinceBootMs: 10_000), nowBootMs: 130_400)
        #expect(machine.state.presence == .idle && machine.state.sinceBootMs == 130_000)
        #expect(machine.dueBootMs == nil)
        machine.apply(.touched(atBootMs: 200_000), nowBootMs: 200_700)
        #expect(machine.state.presence == .active && machine.state.sinceBootMs == 200_000)
        #expect(machine.state.inputBootMs == 200_000)
        // A touch from before the idle interval does not count.
        machine.apply(.idle(sinceBootMs: 200_000), nowBootMs: 320_000)
        machine.apply(.touched(atBootMs: 199_000), nowBootMs: 320_100)
        #expect(machine.state.presence == .idle)
        // Impossible moments are limited to the possible range.
        machine.apply(.touched(atBootMs: .max), nowBootMs: 400_000)
        #expect(machine.state.presence == .active && machine.state.sinceBootMs == 400_000)
        machine.apply(.touched(atBootMs: .min), nowBootMs: 400_001)
        #expect(machine.state.inputBootMs == 400_000)
    }

    @Test("The last sign of a person is the last input or the end of a film")
    func signs() {
        var machine = machine()
        #expect(machine.state.inputBootMs == nil && !machine.state.isInputContinuing)
        machine.apply(.quiet(sinceBootMs: 10_000), nowBootMs: 25_000)
        #expect(machine.state.presence == .active && machine.dueBootMs == nil)
        #expect(machine.state.inputBootMs == 10_000 && !machine.state.isInputContinuing)
        machine.apply(.touched(atBootMs: 40_000), nowBootMs: 40_000)
        #expect(machine.state.inputBootMs == 40_000 && machine.state.isInputContinuing)
        machine.apply(.quiet(sinceBootMs: 50_000), nowBootMs: 65_000)
        machine.apply(.front(Self.film), nowBootMs: 66_000)
        machine.apply(.session(.playing([Self.player], atBootMs: 67_000)), nowBootMs: 67_000)
        machine.apply(.idle(sinceBootMs: 50_000), nowBootMs: 170_000)
        #expect(machine.state.presence == .active && machine.state.isInputContinuing)
        machine.apply(.session(.playing([], atBootMs: 900_000)), nowBootMs: 900_000)
        #expect(machine.state.presence == .idle && machine.state.inputBootMs == 900_000)
        #expect(!machine.state.isInputContinuing)
    }

    @Test(
        "A film in the foreground keeps presence active for the configured time, and not at all if it is zero"
    )
    func watchingSet() {
        for (set, due) in [(Int64(0), nil), (600_000, Int64(605_000))] {
            var machine = PresenceMachine(idleAfterMs: Self.idleMs, watchingMs: set)
            machine.apply(.screen(isKnown: true), nowBootMs: 1_000)
            machine.apply(.front(Self.film), nowBootMs: 2_000)
            machine.apply(.session(.playing([Self.player], atBootMs: 3_000)), nowBootMs: 3_000)
            machine.apply(.idle(sinceBootMs: 5_000), nowBootMs: 125_000)
            #expect(machine.state.presence == (set == 0 ? .idle : .active))
            #expect(machine.dueBootMs == due)
        }
    }

    @Test("A film in the foreground keeps presence active, and music in the background does not")
    func films() {
        var machine = machine()
        machine.apply(.front(Self.film), nowBootMs: 2_000)
        machine.apply(.session(.playing([Self.player], atBootMs: 3_000)), nowBootMs: 3_000)
        machine.apply(.idle(sinceBootMs: 5_000), nowBootMs: 125_000)
        #expect(machine.state.presence == .active && machine.state.why.contains("plays in front"))
        // Not for ever: until four hours after the last touch.
        #expect(machine.dueBootMs == Self.watchingMs + 5_000)
        machine.apply(.front(.init(id: "editor", pids: [20])), nowBootMs: 130_000)
        #expect(machine.state.presence == .idle && machine.state.sinceBootMs == 130_000)
        // Its own inhibitor changes nothing, but that of another app does.
        let own = IdleInhibitor(who: "films", why: "", pid: 10)
        machine.apply(.session(.inhibitors([own], atBootMs: 131_000)), nowBootMs: 131_000)
        #expect(machine.state.presence == .idle)
        let other = IdleInhibitor(who: "Call", why: "You talk", pid: 99)
        machine.apply(.session(.inhibitors([own, other], atBootMs: 132_000)), nowBootMs: 132_000)
        #expect(machine.state.presence == .active && machine.state.why.contains("Call") == true)
        machine.apply(.front(nil), nowBootMs: 133_000)
        #expect(machine.state.presence == .idle)
        machine.apply(.front(Self.film), nowBootMs: 134_000)
        machine.apply(.session(.locked(true, atBootMs: 135_000)), nowBootMs: 135_000)
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
            machine.apply(.front(front), nowBootMs: 2_000)
            machine.apply(.session(.playing([player], atBootMs: 3_000)), nowBootMs: 3_000)
            machine.apply(.idle(sinceBootMs: 5_000), nowBootMs: 125_000)
            #expect(machine.state.presence == wanted, "\(front) \(player)")
        }
    }

    @Test("Presence is the strongest of suspended, away and locked, and active without any of them")
    func order() {
        var machine = machine()
        machine.apply(.session(.locked(true, atBootMs: 2_000)), nowBootMs: 2_000)
        #expect(machine.state.presence == .locked)
        machine.apply(.session(.inFront(false, atBootMs: 3_000)), nowBootMs: 3_000)
        #expect(machine.state.presence == .away)
        machine.apply(.session(.sleeping(atBootMs: 4_000)), nowBootMs: 4_000)
        #expect(machine.state.presence == .suspended)
        machine.apply(.session(.woken(atBootMs: 5_000)), nowBootMs: 5_000)
        #expect(machine.state.presence == .away)
        machine.apply(.session(.inFront(true, atBootMs: 6_000)), nowBootMs: 6_000)
        #expect(machine.state.presence == .locked)
        machine.apply(.session(.locked(false, atBootMs: 7_000)), nowBootMs: 7_500)
        #expect(machine.state.presence == .active && machine.state.sinceBootMs == 7_000)
    }

    @Test("Unlocking makes presence active until the idle time has passed")
    func unlocked() {
        var machine = machine()
        machine.apply(.session(.locked(true, atBootMs: 2_000)), nowBootMs: 2_000)
        machine.apply(.idle(sinceBootMs: 2_000), nowBootMs: 122_000)
        machine.apply(.session(.locked(false, atBootMs: 500_000)), nowBootMs: 500_010)
        #expect(machine.state.presence == .active && machine.state.sinceBootMs == 500_000)
        #expect(machine.state.inputBootMs == 500_000 && machine.dueBootMs == 620_000)
        machine.apply(.timeElapsed, nowBootMs: 620_020)
        #expect(machine.state.presence == .idle && machine.state.sinceBootMs == 620_000)
        #expect(machine.dueBootMs == nil)
    }

    @Test("A request to lock counts as locked, and no longer after the person has worked on behind it")
    func wishes() {
        var machine = machine()
        machine.apply(.session(.lockAsked(atBootMs: 2_000)), nowBootMs: 2_000)
        #expect(machine.state.presence == .locked && machine.dueBootMs == 132_000)
        machine.apply(.touched(atBootMs: 3_000), nowBootMs: 3_000)
        #expect(machine.state.presence == .locked)
        machine.apply(.idle(sinceBootMs: 3_000), nowBootMs: 123_000)
        machine.apply(.timeElapsed, nowBootMs: 200_000)
        #expect(machine.state.presence == .locked)
        machine.apply(.touched(atBootMs: 300_000), nowBootMs: 300_001)
        #expect(machine.state.presence == .active && machine.state.sinceBootMs == 300_000)

        // The user requests a lock repeatedly, and continues to work.
        machine.apply(.session(.lockAsked(atBootMs: 310_000)), nowBootMs: 310_000)
        machine.apply(.timeElapsed, nowBootMs: 440_000)
        #expect(machine.state.presence == .active)
        machine.apply(.session(.lockAsked(atBootMs: 450_000)), nowBootMs: 450_000)
        #expect(machine.state.presence == .active)
        // A real lock restores the credibility of requests.
        machine.apply(.session(.locked(true, atBootMs: 460_000)), nowBootMs: 460_000)
        machine.apply(.session(.locked(false, atBootMs: 470_000)), nowBootMs: 470_000)
        machine.apply(.session(.lockAsked(atBootMs: 480_000)), nowBootMs: 480_000)
        #expect(machine.state.presence == .locked)
        machine.apply(.session(.unlockAsked(atBootMs: 490_000)), nowBootMs: 490_000)
        #expect(machine.state.presence == .active)
    }

    @Test("A lock under which the person keeps working is ignored, and one with occasional input counts")
    func hollowLock() {
        var machine = machine()
        machine.apply(.session(.locked(true, atBootMs: 2_000)), nowBootMs: 2_000)
        #expect(machine.state.presence == .locked && machine.dueBootMs == 192_000)
        machine.apply(.timeElapsed, nowBootMs: 192_000)
        #expect(machine.state.presence == .active && machine.state.why.contains("does not count as locked"))
        machine.apply(.session(.locked(true, atBootMs: 193_000)), nowBootMs: 193_000)
        #expect(machine.state.presence == .active)
        machine.apply(.session(.locked(false, atBootMs: 200_000)), nowBootMs: 200_000)

        machine.apply(.session(.locked(true, atBootMs: 210_000)), nowBootMs: 210_000)
        #expect(machine.state.presence == .locked)
        machine.apply(.idle(sinceBootMs: 210_000), nowBootMs: 330_000)
        for hour in Int64(1)...5 {
            let now = hour * 3_600_000
            machine.apply(.touched(atBootMs: now), nowBootMs: now)
            machine.apply(.idle(sinceBootMs: now), nowBootMs: now + Self.idleMs)
            #expect(machine.state.presence == .locked)
        }
        // After a long sleep, without an idle report of the screen.
        machine.apply(.touched(atBootMs: 20_000_000), nowBootMs: 20_000_000)
        machine.apply(.session(.sleeping(atBootMs: 20_001_000)), nowBootMs: 20_001_000)
        machine.apply(.session(.woken(atBootMs: 50_000_000)), nowBootMs: 50_000_000)
        #expect(machine.state.presence == .locked)
    }

    @Test(
        "An inhibitor of another window's process is ignored, and the app's own counts for at most four hours"
    )
    func foreignInhibitor() {
        var machine = machine()
        machine.apply(.front(.init(id: "editor", pids: [20], others: [30])), nowBootMs: 2_000)
        let foreign = IdleInhibitor(who: "Browser", why: "A film", pid: 30)
        machine.apply(.session(.inhibitors([foreign], atBootMs: 3_000)), nowBootMs: 3_000)
        machine.apply(.idle(sinceBootMs: 5_000), nowBootMs: 125_000)
        #expect(machine.state.presence == .idle)
        let own = IdleInhibitor(who: "Editor", why: "A talk", pid: 20)
        machine.apply(.session(.inhibitors([own], atBootMs: 130_000)), nowBootMs: 130_000)
        #expect(machine.state.presence == .active)
        let end = 5_000 + Self.watchingMs
        #expect(machine.dueBootMs == end)
        machine.apply(.timeElapsed, nowBootMs: end)
        #expect(machine.state.presence == .idle && machine.dueBootMs == nil)
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
        var machine = PresenceMachine(idleAfterMs: 60_000, watchingMs: Self.watchingMs)
        var reference = PresenceReference(idleAfterMs: 60_000, watchingMs: Self.watchingMs)
        var now: Int64 = 1_000
        // The end of a film is also a sign of a person.
        var hasWatched = false
        for step in 0..<60 {
            now += random.number(0...40_000)
            if let due = machine.dueBootMs, due > now, random.chance(percent: 30) { now = due }
            let before = machine.state
            let input = Self.input(&random, now)
            reference.history.append((input, now))
            hasWatched = hasWatched || reference.isWatched
            let changed = machine.apply(input, nowBootMs: now)
            let state = machine.state
            #expect(
                state.presence == reference.presence
                    && (state.inputBootMs == reference.input
                        || hasWatched && state.inputBootMs ?? 0 > reference.input ?? 0),
                "seed \(seed) step \(step): \(state) after \(input) at \(now)"
            )
            #expect(changed == (state.presence != before.presence))
            #expect(state.sinceBootMs >= before.sinceBootMs && state.sinceBootMs <= now)
            #expect(changed || state.sinceBootMs == before.sinceBootMs)
            if let due = machine.dueBootMs { #expect(due > now, "seed \(seed) step \(step)") }
        }
    }

    private static func input(_ random: inout SeededRandom, _ now: Int64) -> PresenceInput {
        let at = now - random.number(0...5_000) + (random.chance(percent: 5) ? 20_000 : 0)
        switch random.number(0...15) {
        case 0: return .quiet(sinceBootMs: now - random.number(0...90_000))
        case 1, 2: return .idle(sinceBootMs: now - random.number(0...90_000))
        case 3, 4: return .touched(atBootMs: at)
        case 5: return .input(atBootMs: at)
        case 6: return .screen(isKnown: random.chance(percent: 85))
        case 7: return .session(.locked(random.chance(percent: 40), atBootMs: at))
        case 8:
            return .session(
                random.chance(percent: 70) ? .lockAsked(atBootMs: at) : .unlockAsked(atBootMs: at)
            )
        case 9: return .session(.inFront(random.chance(percent: 70), atBootMs: at))
        case 10:
            return .session(random.chance(percent: 30) ? .sleeping(atBootMs: at) : .woken(atBootMs: at))
        case 11:
            let list = (0..<random.number(0...2)).map { _ in
                IdleInhibitor(who: "a", why: "", pid: random.chance(percent: 80) ? random.number(1...4) : nil)
            }
            return .session(.inhibitors(list, atBootMs: at))
        case 12:
            let list = (0..<random.number(0...2)).map { _ in
                MediaPlayer(
                    name: random.pick(["one", "two", "odd"]) ?? "",
                    desktopEntry: random.chance(percent: 40) ? random.pick(["one", "two"]) : nil,
                    pid: random.chance(percent: 60) ? random.number(1...4) : nil
                )
            }
            return .session(.playing(list, atBootMs: at))
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
