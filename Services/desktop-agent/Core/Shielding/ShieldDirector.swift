import STContracts
package import STDesktop
package import STPlatform

/// Decides about the shields on the screen: what is put up, painted, held and taken down; pure.
///
/// It is told what happens and answers with what is to be done. After each word it goes through all that is wanted and
/// orders what is missing, so nothing depends on the order in which words come.
package struct ShieldDirector: Sendable {
    // MARK: - Limits

    /// How long a look may take before the system's own goes up in its place.
    package static let lookMs: Int64 = 2_000
    package static let lookAgainMs: Int64 = 5_000
    /// A moment of focus elsewhere is not leaving.
    static let leaveMs: Int64 = 500
    /// Longer than shield-service gives an app to answer.
    package static let pressMs: Int64 = 8_000
    static let noteMs: Int64 = 8_000
    /// What a call under way has left.
    package static let callMs: Int64 = 60_000
    static let pauseAgainMs: Int64 = 5_000
    static let drawAgainMs: Int64 = 5_000
    static let coverAgainMs: Int64 = 250
    static let coverAgainMsMax: Int64 = 8_000
    /// Of the pictures on panes together.
    static let paintedBytesMax = 256 << 20
    /// What one press asks for.
    static let moreMs: Int64 = 15 * 60_000
    static let recentMax = 32
    static let failedPicturesMax = 64

    // MARK: - What is known

    package let settings: ShieldSettings
    let sayings: ShieldSayings
    var scene = DesktopScene()
    var words: [String: ShieldWord] = [:]
    var front = Front()
    var apps: [String: ShieldedApp] = [:]
    var panes: [PaneID: ShieldPane] = [:]
    var paneOfWindow: [WindowID: PaneID] = [:]
    /// Windows whose cover failed: how often, and when it is tried again.
    var failures: [WindowID: (count: Int, againMs: Int64)] = [:]
    var gallery = ShieldGallery()
    var shelf = LookShelf()
    /// The last sizes of panes, so that a picture can be there before the pane.
    var lastSize: PaneSize?
    /// Windows that were in front, the last one first.
    var recent: [WindowID] = []
    var drawing: PictureKey?
    var failedPictures: [PictureKey: Int64] = [:]
    /// Drawn before anybody needs them.
    var early: [(key: PictureKey, request: DrawRequest)] = []
    var offer: MoreOffer?
    var told: Set<String> = []
    var isReady = false
    var isStopping = false
    var sceneHasChanged = false
    private var lastPane: Int64 = 0
    private var lastTicket: Int64 = 0

    // MARK: - What is under way

    var now = TimeReading(wallMs: 0, bootMs: 0, monotonicMs: 0)
    private var orders: [ShieldOrder] = []
    /// What the screen is to do before the next order.
    private var acts: [DesktopAct] = []

    package init(_ settings: ShieldSettings) {
        self.settings = settings
        sayings = ShieldSayings(settings.language)
    }

    /// What is to be done after this word.
    package mutating func take(_ input: ShieldInput, at now: TimeReading) -> [ShieldOrder] {
        take([input], at: now)
    }

    /// Several words that came together: gone through once.
    package mutating func take(_ inputs: [ShieldInput], at now: TimeReading) -> [ShieldOrder] {
        self.now = now
        for input in inputs { hear(input) }
        settle()
        flush()
        let orders = orders
        self.orders = []
        return orders
    }

    private mutating func hear(_ input: ShieldInput) {
        switch input {
        case .ready: isReady = true
        case .scene(let scene, let words):
            see(scene, words)
        case .pane(let id, let event): hear(event, of: id)
        case .look(let app, let ticket, let outcome): hear(outcome, ticket, app)
        case .drawn(let key, let result): hear(result, of: key)
        case .answered(let app, let press, let result): hear(result, press, app)
        case .requested(let app, let result): hear(result, app)
        case .verdict(let app, let verdict): hear(verdict, app)
        case .paused(let app, let outcome): hear(outcome, app)
        case .thawed(let app): hearThawed(app)
        case .silent: hearSilence()
        case .continued(let app): hearContinued(app)
        case .underway(let app, let sentence): hear(call: sentence, app)
        case .ended(let app, let processes):
            step(app, "Its \(processes) processes were told to end.")
        case .offer(let offer): self.offer = offer
        case .soon(let app): prepare(app)
        case .tick:
            let isDue = failures.values.contains { $0.againMs <= now.bootMs }
            // A question may have had its time.
            let isClosing = apps.values.contains { !$0.closing.isEmpty }
            sceneHasChanged = sceneHasChanged || isDue || isClosing
        case .stop:
            isStopping = true
            sceneHasChanged = true
        }
    }

    private mutating func see(_ scene: DesktopScene, _ words: [String: ShieldWord]) {
        if let focus = scene.focus, focus != self.scene.focus {
            recent.removeAll { $0 == focus }
            recent.insert(focus, at: 0)
            if recent.count > Self.recentMax { recent.removeLast() }
        }
        self.scene = scene
        self.words = words
        sceneHasChanged = true
    }

    /// Everything that is wanted, and not so yet.
    private mutating func settle() {
        if sceneHasChanged {
            sceneHasChanged = false
            cover()
        }
        show()
        hold()
        // What was in the way of a pause may be gone now.
        if takeDown() { hold() }
        paint()
        tellShielded()
    }

    /// Whether a pane was put up by a director.
    package static func owns(_ pane: PaneID) -> Bool { pane.rawValue.hasPrefix("shield-") }

    /// Nothing is covered or held.
    package var isEmpty: Bool { panes.isEmpty && apps.values.allSatisfy { $0.hold == .free } }

    // MARK: - Small things

    mutating func act(_ act: DesktopAct) { acts.append(act) }

    mutating func order(_ order: ShieldOrder) {
        flush()
        orders.append(order)
    }

    private mutating func flush() {
        if acts.isEmpty { return }
        orders.append(.screen(acts))
        acts = []
    }

    mutating func step(_ app: String, _ text: String) { apps[app]?.step(text, now.wallMs) }

    mutating func nextPane() -> PaneID {
        lastPane += 1
        return PaneID("shield-\(lastPane)")
    }

    mutating func nextTicket() -> Int64 {
        lastTicket += 1
        return lastTicket
    }

    func isShielded(_ app: String) -> Bool { !isStopping && words[app]?.isShielded == true }

    func name(of app: String) -> String { apps[app]?.name ?? app }

    /// Those of an app that still cover something.
    func panes(of app: String) -> [ShieldPane] {
        panes.values.filter { $0.app == app && !$0.isClosing }.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    private mutating func tellShielded() {
        let shielded = Set(
            panes.values.filter { $0.isMapped && !$0.isClosing && isShielded($0.app) }.map(\.app)
        )
        guard shielded != told else { return }
        told = shielded
        order(.shielded(shielded))
    }

    /// When something becomes due by itself, in boot time.
    package var nextMs: Int64? {
        var due: [Int64] = failures.values.map(\.againMs)
        due += failedPictures.values
        for app in apps.values {
            if let leftMs = app.showing?.leftMs { due.append(leftMs + Self.leaveMs) }
            if let pressing = app.showing?.pressing { due.append(pressing.deadlineMs) }
            if app.note != nil { due.append(app.noteUntilMs) }
            switch app.asking {
            case .asked(_, let deadlineMs): if !app.isLate { due.append(deadlineMs) }
            case .failed(let againMs): due.append(againMs)
            case .done: if let staleMs = app.look?.staleMs(app.word), isUp(app.id) { due.append(staleMs) }
            case .no: break
            }
            if let untilMs = app.call.warnedUntilMs { due.append(untilMs) }
            if app.hold == .free, app.pauseAgainMs > now.bootMs { due.append(app.pauseAgainMs) }
            if app.hold == .free { due += panes.values.filter { $0.app == app.id }.compactMap(\.holdAgainMs) }
            if isShielded(app.id),
                let ms = app.escalation.nextMs(settings.escalation, afterMs: waitMs(of: app))
            {
                due.append(ms)
            }
        }
        // What is past and did not help is no reason to wake again at once.
        return due.filter { $0 > now.bootMs && $0 < .max }.min()
    }
}
