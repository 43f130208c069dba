import STDesktop
import STPlatform

/// One cover over one window.
struct ShieldPane: Sendable {
    let id: PaneID
    let window: WindowID
    let app: String
    /// Nil until it is on the screen for the first time.
    fileprivate(set) var size: PaneSize?
    fileprivate(set) var isMapped = false
    fileprivate(set) var isHoldAsked = false
    fileprivate(set) var isHeld = false
    /// When it is asked to hold the input once more after a refusal.
    fileprivate(set) var holdAgainMs: Int64?
    /// It covers nothing that is shielded: it goes as soon as its app runs.
    fileprivate(set) var isClosing = false
    /// What is painted on it.
    fileprivate(set) var painted: PictureKey?
    fileprivate(set) var paintedBytes = 0

    /// Whether it can be seen and stays.
    var isUp: Bool { isMapped && !isClosing }

    /// Whether the app beneath may stand still: the app cannot be seen, and no input reaches it.
    var isSafe: Bool { isMapped && isHeld }

    /// Whether to ask it, or to ask it once more, to hold the input.
    func asksHold(_ nowMs: Int64) -> Bool {
        !isHoldAsked || !isHeld && holdAgainMs.map { $0 <= nowMs } ?? false
    }

    fileprivate mutating func forgetHold() {
        isHoldAsked = false
        isHeld = false
        holdAgainMs = nil
    }
}

/// What is covered: each window has at most one cover that stays, and a cover that is to go lasts until its app runs.
struct ShieldCovers: Sendable {
    private static let prefix = "shield-"
    static let tryAgainMs: Int64 = 250
    static let tryAgainMsMax: Int64 = 8_000

    private var panes: [PaneID: ShieldPane] = [:]
    /// The cover of each window that stays.
    private var staying: [WindowID: PaneID] = [:]
    /// Windows whose cover failed: how often, and when it is tried again.
    private var failures: [WindowID: (count: Int, againMs: Int64)] = [:]
    /// The size of a cover on this screen, so that a picture can be there before the next one.
    private(set) var lastSize: PaneSize?
    private var lastPane: Int64 = 0

    /// Whether a pane is a cover.
    static func owns(_ pane: PaneID) -> Bool { pane.rawValue.hasPrefix(prefix) }

    // MARK: - Questions

    var isEmpty: Bool { panes.isEmpty }
    var count: Int { panes.count }

    subscript(id: PaneID) -> ShieldPane? { panes[id] }

    /// The cover of a window, which may cover it for another app than it belongs to now.
    subscript(window: WindowID) -> ShieldPane? { staying[window].flatMap { panes[$0] } }

    /// The cover that keeps people from a window of its app.
    func pane(over seen: SeenWindow) -> ShieldPane? {
        guard let pane = self[seen.window.id], pane.app == seen.app?.id, !pane.isClosing else { return nil }
        return pane
    }

    /// The covers of an app that stay.
    func of(_ app: String) -> [ShieldPane] {
        panes.values.filter { $0.app == app && !$0.isClosing }.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    func has(_ app: String) -> Bool { panes.values.contains { $0.app == app && !$0.isClosing } }

    /// Whether anything of the app is covered on the screen.
    func isSeen(_ app: String) -> Bool { panes.values.contains { $0.app == app && $0.isMapped } }

    /// All that can be seen and stay; the one over `window` first.
    func up(first window: WindowID?) -> [ShieldPane] {
        let focused = window.flatMap { staying[$0] }
        return panes.values.filter(\.isUp).sorted {
            ($0.id == focused ? 0 : 1, $0.id.rawValue) < ($1.id == focused ? 0 : 1, $1.id.rawValue)
        }
    }

    var upCount: Int { panes.values.count(where: \.isUp) }

    /// Apps that have a cover at all, also one that is to go.
    var apps: Set<String> { Set(panes.values.map(\.app)) }

    /// Bytes of all the pictures that can be seen.
    var paintedBytes: Int { panes.values.reduce(0) { $0 + ($1.isMapped ? $1.paintedBytes : 0) } }

    /// Apps of which a cover is to go and its window is still there.
    func leaving(_ scene: DesktopScene) -> Set<String> {
        Set(panes.values.filter { $0.isClosing && scene.windows[$0.window] != nil }.map(\.app))
    }

    func hasFailed(_ window: WindowID) -> Bool { failures[window] != nil }

    /// Whether a cover that failed is to be tried again by now.
    func isRetryDue(_ nowMs: Int64) -> Bool { failures.values.contains { $0.againMs <= nowMs } }

    /// When covers that failed, and input that was refused, are tried again.
    var retriesMs: [Int64] { failures.values.map(\.againMs) }

    func holdsAgainMs(_ app: String) -> [Int64] {
        panes.values.filter { $0.app == app }.compactMap(\.holdAgainMs)
    }

    // MARK: - Covering

    /// Called before the windows are checked: a window that is gone has no failure.
    mutating func forgetFailures(beyond scene: DesktopScene) {
        failures = failures.filter { scene.windows[$0.key] != nil }
    }

    func mayCover(_ window: WindowID, _ nowMs: Int64) -> Bool {
        failures[window].map { $0.againMs <= nowMs } ?? true
    }

    /// `isFree`: nothing of the app is held.
    mutating func cover(
        _ window: WindowID,
        of app: String,
        name: String,
        background: UInt32,
        isFree: Bool,
        _ round: inout ShieldRound
    ) {
        // Lifted and shielded again before it was gone.
        let going = panes.values.first { $0.isClosing && $0.window == window && $0.app == app }
        if let old = staying[window] { close(old) }
        if let going {
            panes[going.id]?.isClosing = false
            // That it held before promises nothing now.
            if isFree { panes[going.id]?.forgetHold() }
            staying[window] = going.id
            return
        }
        lastPane += 1
        let pane = ShieldPane(id: PaneID("\(Self.prefix)\(lastPane)"), window: window, app: app)
        panes[pane.id] = pane
        staying[window] = pane.id
        let order = PaneOrder(
            id: pane.id,
            place: .over(window),
            background: background,
            name: round.sayings.pane(name),
            takesKeys: true
        )
        round.act(.openPane(order))
    }

    /// Covers of windows that are not shielded, or belong to another app now, are to go. A hidden window keeps its cover:
    /// then it comes back covered.
    mutating func closeUnwanted(_ round: ShieldRound) {
        for pane in panes.values where !pane.isClosing {
            let isWanted =
                round.isShielded(pane.app) && round.scene.windows[pane.window]?.app?.id == pane.app
            if !isWanted { close(pane.id) }
        }
    }

    private mutating func close(_ id: PaneID) {
        guard let pane = panes[id], !pane.isClosing else { return }
        panes[id]?.isClosing = true
        if staying[pane.window] == id { staying[pane.window] = nil }
    }

    /// Takes down those that are to go: at once where the window is gone, else once their app is not among `held`.
    ///
    /// Returns whether any went.
    mutating func takeDown(held: Set<String>, _ round: inout ShieldRound) -> Bool {
        let count = panes.count
        for pane in panes.values.filter(\.isClosing).sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
            guard round.scene.windows[pane.window] == nil || !held.contains(pane.app) else { continue }
            panes[pane.id] = nil
            round.act(.closePane(pane.id))
        }
        return panes.count < count
    }

    // MARK: - What the screen says

    mutating func shown(_ id: PaneID, _ size: PaneSize, _ round: inout ShieldRound) {
        guard let pane = panes[id] else { return }
        if !pane.isMapped {
            round.step(
                pane.app,
                Message("agent.window-is-covered", "The window \(pane.window, "window") is covered.")
            )
        }
        failures[pane.window] = nil
        lastSize = size
        panes[id]?.size = size
        panes[id]?.isMapped = true
        // The screen says it again when it wants a picture.
        panes[id]?.painted = nil
        panes[id]?.paintedBytes = 0
    }

    mutating func hidden(_ id: PaneID) { panes[id]?.isMapped = false }

    /// Tried again, ever more slowly: nothing on the screen is a reason to give up.
    mutating func fail(_ id: PaneID, _ why: Message, _ round: inout ShieldRound) {
        guard let pane = panes.removeValue(forKey: id) else { return }
        if staying[pane.window] == id { staying[pane.window] = nil }
        // The screen may still have something of it, which this closes.
        round.act(.closePane(id))
        round.step(
            pane.app,
            Message(
                "agent.window-not-covered",
                "Screen Time could not cover the window \(pane.window, "window"): \(why, "reason")"
            )
        )
        guard !pane.isClosing else { return }
        let count = (failures[pane.window]?.count ?? 0) + 1
        let waitMs = min(Self.tryAgainMsMax, Self.tryAgainMs << min(count - 1, 10))
        failures[pane.window] = (count, round.now.bootMs + waitMs)
        round.coversAreDue = true
    }

    // MARK: - Input and pictures

    mutating func askHold(_ id: PaneID, _ round: inout ShieldRound) {
        panes[id]?.isHoldAsked = true
        panes[id]?.holdAgainMs = nil
        round.act(.holdInput(id))
    }

    mutating func held(_ id: PaneID, _ isHeld: Bool) { panes[id]?.isHeld = isHeld }

    mutating func holdAgain(_ id: PaneID, atMs ms: Int64) { panes[id]?.holdAgainMs = ms }

    mutating func forgetHolds(of app: String) {
        for pane in panes.values where pane.app == app { panes[pane.id]?.forgetHold() }
    }

    mutating func paint(_ id: PaneID, _ key: PictureKey, bytes: Int) {
        panes[id]?.painted = key
        panes[id]?.paintedBytes = bytes
    }
}
