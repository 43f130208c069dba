import STContracts
import STDesktop
import STDesktopCore
import STDomain
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Where the director of shields meets the world: the screen, the policy, the processes, the pictures, the other services.
///
/// Lives on the bus thread. Nothing here waits for anybody but within a task of its own.
actor ShieldStage: SceneFollower {
    struct Parts: Sendable {
        var ground: any ShieldGround
        var pausing: any AppPausing
        /// Nil: shields are bare colours.
        var easel: (any ShieldEasel)?
        var wire: PolicyWire
        var board: ShieldBoard
        /// Nil: there is no bus over which assistive technology could be told.
        var access: AccessiblePanes?
    }

    /// How long the end waits until all is let go of.
    private static let endMs: Int64 = 2_000
    private static let wordsMax = 4_000
    /// A crossing that is so near is prepared for.
    private static let soonMs: Int64 = 15_000

    let surroundings: Surroundings
    let client: BusClient
    let parts: Parts
    let settings: ShieldSettings
    /// Tells the showings of this process from those of another.
    let run: String
    var director: ShieldDirector
    var holds = HoldQueue()
    private var access: AccessTeller
    private(set) var policy = ShieldPolicy()
    private var scene = DesktopScene()
    private var words: [String: ShieldWord] = [:]
    /// Heard and not gone through yet.
    private var heard: [ShieldInput] = []
    private var hasLooked = true
    private var isRoundComing = false
    private var alarm: DueAlarm?
    private var soon: (app: String, bootMs: Int64)?
    private var whenEmpty: CheckedContinuation<Void, Never>?
    private let configuredMember: String
    var isAskingOffer = false
    var watch = HeldWatch()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ surroundings: Surroundings, client: BusClient, settings: ShieldSettings, parts: Parts) {
        self.surroundings = surroundings
        self.client = client
        self.settings = settings
        self.parts = parts
        configuredMember = surroundings.configuration.value(.desktopMember)
        run = Identifier.make(wallMs: surroundings.time.now().wallMs)
        director = ShieldDirector(settings)
        access = AccessTeller(parts.access)
        parts.board.set(director.reply)
    }

    /// Covers go up at once; nothing is paused before what an earlier process had paused runs again.
    func start(_ scene: DesktopScene) async {
        let thread = surroundings.loop.thread
        do {
            alarm = try DueAlarm(
                thread,
                surroundings.time,
                onStep: { [weak self] in self?.assumeIsolated { $0.decideAnew() } },
                { [weak self] in self?.assumeIsolated { $0.due() } }
            )
        } catch {
            surroundings.log.problem("no_alarm", error)
        }
        parts.wire.listen { [weak self] in
            thread.post { [weak self] in self?.assumeIsolated { $0.hearPolicy() } }
        }
        self.scene = scene
        look()
        await parts.pausing.thawAll()
        take(.ready)
    }

    /// Everything is let go of: apps first, then their covers.
    func stop() async {
        take(.stop)
        if !director.isEmpty {
            await withCheckedContinuation { continuation in
                whenEmpty = continuation
                surroundings.loop.thread.after(milliseconds: Self.endMs) { [weak self] in
                    self?.assumeIsolated { $0.isOver() }
                }
            }
        }
        alarm?.set()
        await parts.pausing.thawAll()
        await parts.easel?.putAway()
    }

    private func isOver() {
        whenEmpty?.resume()
        whenEmpty = nil
    }

    // MARK: - The screen

    nonisolated func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent) {
        assumeIsolated { $0.hear(scene, event) }
    }

    /// What comes in one go is gone through once: two hundred windows are no two hundred rounds.
    private func hear(_ scene: DesktopScene, _ event: DesktopEvent) {
        switch event {
        case .pane(let id, let news):
            guard ShieldDirector.owns(id) else { return }
            heard.append(.pane(id, news))
        case .idle, .touched: return
        case .lost:
            // Whatever comes next is another screen, without a pane of ours.
            self.scene = scene
            return look()
        case .window, .windowGone, .focus, .outputs, .ready:
            self.scene = scene
            hasLooked = false
        }
        guard !isRoundComing else { return }
        isRoundComing = true
        surroundings.loop.thread.post { [weak self] in self?.assumeIsolated { $0.round() } }
    }

    private func round() {
        isRoundComing = false
        if hasLooked { takeHeard([]) } else { look() }
    }

    private func takeHeard(_ inputs: [ShieldInput]) {
        let inputs = inputs + heard
        heard = []
        if !inputs.isEmpty { take(inputs) }
    }

    /// What is on the screen, with a word about each app.
    private func look() {
        hasLooked = true
        if let member {
            if words.count > Self.wordsMax { words = [:] }
            let wallMs = surroundings.time.now().wallMs
            for seen in scene.windows.values {
                guard let app = seen.app?.id, words[app] == nil else { continue }
                words[app] = ShieldWord(
                    policy.decide(ShieldSubject(app: app), member: member, wallMs: wallMs),
                    policy: policy.book.number
                )
            }
        }
        takeHeard([.scene(scene, words)])
    }

    // MARK: - Policy

    /// Whose time the screen's is; nil while nobody is known.
    var member: String? {
        if !configuredMember.isEmpty { return configuredMember }
        let account = AccountName.current()
        if policy.people.members.contains(where: { $0.name == account }) { return account }
        return policy.people.owner
    }

    private func hearPolicy() {
        guard let policy = parts.wire.take() else { return }
        self.policy = policy
        decideAnew()
    }

    private func decideAnew() {
        words = [:]
        look()
    }

    private func due() {
        let now = surroundings.time.now()
        if let next = nextWallMs, next <= now.wallMs { decideAnew() }
        if let soon, soon.bootMs - Self.soonMs <= now.bootMs { prepare(soon.app) }
        take(.tick)
    }

    /// The earliest end of a grant that was not over when it was last decided.
    private var nextWallMs: Int64?

    // MARK: - Before it happens

    /// Something about the app in front is decided at that moment.
    nonisolated func checkComes(atBootMs bootMs: Int64) {
        assumeIsolated { stage in
            guard let app = stage.scene.appInFront?.id else { return }
            stage.soon = (app, bootMs)
            if bootMs - stage.surroundings.time.now().bootMs <= Self.soonMs { stage.prepare(app) }
            stage.arm()
        }
    }

    private func prepare(_ app: String) {
        soon = nil
        guard scene.appInFront?.id == app, words[app]?.isShielded != true else { return }
        take(.soon(app: app))
    }

    // MARK: - The director

    func take(_ input: ShieldInput) { take([input]) }

    private func take(_ inputs: [ShieldInput]) {
        for order in director.take(inputs, at: surroundings.time.now()) { carryOut(order) }
        parts.board.set(director.reply)
        access.tell(director.accessible, director.accessibleFocus)
        if director.isEmpty { isOver() }
        watchHeld(inputs)
        arm()
    }

    private func arm() {
        let now = surroundings.time.now()
        nextWallMs = member.flatMap { policy.nextWallMs(member: $0, after: now.wallMs) }
        let preparing = soon.map { max(now.bootMs, $0.bootMs - Self.soonMs) }
        let bootMs = [director.nextMs, preparing].compactMap(\.self).min()
        alarm?.set(wallMs: nextWallMs, bootMs: bootMs)
    }
}
