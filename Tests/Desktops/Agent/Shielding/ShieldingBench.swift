import STContracts
import STDesktop
import STPlatform

@testable import STDesktopCore

/// A director with a simulated screen and helpers. Each order is performed here, and answered when a test chooses.
struct ShieldingBench {
    static let game = "org.game"
    static let editor = "org.editor"

    var director: ShieldStateMachine
    var scene = DesktopModel()
    var words: [String: ShieldStatus] = [:]
    var nowMs: Int64 = 1_000_000
    /// All orders since the last `forget`, oldest first.
    var orders: [ShieldEffect] = []

    // The content of the screen.
    var panes: [PaneID: WindowID] = [:]
    var mapped: Set<PaneID> = []
    var painted: [PaneID: PanePicture] = [:]
    var held: Set<PaneID> = []
    /// The screen's answer to a request to hold input.
    var holds = true
    /// True if panes fail instead of appearing.
    var failsToCover = false

    // The states of apps.
    var paused: Set<String> = []
    var verdicts: [String: PauseVerdict] = [:]
    var calls: [String: String] = [:]
    var ended: Set<String> = []
    /// The orders without an answer.
    var pending: [ShieldEffect] = []
    var answersLooks = true
    /// The title of looks, and the duration for which they are valid.
    var title: String?
    var goodForMs: Int64?
    var looks = 0
    var drawsPictures = true
    var shielded: Set<String> = []
    var notices: [ShieldNotice] = []
    var acts: [DesktopAction] = []
    var files: Set<String> = []
    var lastFile = 0
    var draws = 0
    var shows = 0
    /// The orders that must not be given.
    var wrongs: [String] = []

    init(_ settings: ShieldSettings = ShieldSettings(), isReady: Bool = true) {
        director = ShieldStateMachine(settings)
        var abilities = ScreenAbilities()
        abilities.covers = true
        abilities.holdsInput = true
        abilities.minimizes = true
        abilities.activates = true
        abilities.closesWindows = true
        scene.apply(.ready(abilities)) { _ in nil }
        if isReady { tell(.ready) }
    }

    var now: TimeReading { TimeReading(wallMs: 1_790_000_000_000 + nowMs, bootMs: nowMs, monotonicMs: nowMs) }

    // MARK: - Telling

    mutating func tell(_ input: ShieldInput) {
        for order in director.apply(input, at: now) { carryOut(order) }
    }

    mutating func wait(_ ms: Int64) {
        let end = nowMs + ms
        while let next = director.nextTick, next.ms <= end {
            nowMs = next.ms
            tell(.tick)
        }
        nowMs = end
    }

    mutating func showScene() { tell(.scene(scene, words)) }

    mutating func event(_ event: DesktopEvent, app: String? = nil) {
        scene.apply(event) { window in
            let id = app ?? window.windowClass ?? "none"
            return AppIdentity(id: id, name: id == Self.game ? "Game" : nil, clue: .itself, steps: [])
        }
        showScene()
    }

    mutating func window(
        _ id: String,
        _ app: String,
        pid: Int32 = 100,
        width: Int = 640,
        isMinimized: Bool = false,
        isShown: Bool = true
    ) {
        let window = DesktopWindow(
            id: WindowID(id),
            windowClass: app,
            pid: pid,
            frame: ScreenRect(x: 0, y: 0, width: width, height: 480),
            isMinimized: isMinimized,
            isShown: isShown && !isMinimized
        )
        event(.window(window))
    }

    mutating func focus(_ id: String?) { event(.focus(id.map { WindowID($0) }, atBootMs: nowMs)) }

    mutating func shield(_ app: String = game, by: String = "org.asks") {
        words[app] = ShieldStatus(isShielded: true, by: by, store: "main")
        showScene()
    }

    mutating func lift(_ app: String = game) {
        words[app] = nil
        showScene()
    }

    // MARK: - Carrying out

    private mutating func carryOut(_ order: ShieldEffect) {
        orders.append(order)
        switch order {
        case .screen(let acts): for act in acts { perform(act) }
        case .forget(let paths):
            for path in paths where files.remove(path) == nil { wrongs.append("no file \(path)") }
        case .shielded(let apps): shielded = apps
        case .notify(let notice): notices.append(notice)
        case .pause(let app, _):
            checkPause(app)
            pending.append(order)
        case .draw:
            draws += 1
            pending.append(order)
        case .askLook(_, _, let counts, _):
            if counts { shows += 1 }
            pending.append(order)
        default: pending.append(order)
        }
    }

    private mutating func checkPause(_ app: String) {
        for seen in scene.windows(of: app) where seen.window.isShown {
            let pane = panes.first { $0.value == seen.window.id }?.key
            if pane == nil || pane.map({ !held.contains($0) || !mapped.contains($0) }) == true {
                wrongs.append("\(app) was paused while \(seen.window.id) was not covered and held")
            }
        }
    }

    private mutating func perform(_ act: DesktopAction) {
        acts.append(act)
        switch act {
        case .openPane(let order):
            guard case .over(let window) = order.place else { return wrongs.append("a pane over nothing") }
            // A window that has changed to another app has two panes while the first app is held.
            if panes.values.count(where: { $0 == window }) > 1 { wrongs.append("three panes over \(window)") }
            panes[order.id] = window
        case .paint(let id, let picture):
            if panes[id] == nil { wrongs.append("paint of \(id), which is gone") }
            if !files.contains(picture.path) { wrongs.append("paint from \(picture.path), which is gone") }
            painted[id] = picture
        case .closePane(let id):
            if let window = panes[id], let seen = scene.windows[window], seen.window.isShown,
                let app = seen.app?.id, paused.contains(app),
                panes.values.count(where: { $0 == window }) == 1
            {
                wrongs.append("\(window) was uncovered while \(app) was paused")
            }
            panes[id] = nil
            mapped.remove(id)
            held.remove(id)
            painted[id] = nil
        case .holdInput(let id):
            if !mapped.contains(id) { wrongs.append("input of \(id) was to be held before it was there") }
        case .minimize, .activate, .askToClose, .showItem: break
        }
    }

    // MARK: - The screen answers

    /// Shows the opened panes, or lets them fail.
    mutating func mapPanes() {
        for id in panes.keys.sorted(by: { $0.rawValue < $1.rawValue }) where !mapped.contains(id) {
            if failsToCover {
                panes[id] = nil
                tell(.pane(id, .failed(Message(verbatim: "the display says no"))))
            } else {
                mapped.insert(id)
                tell(.pane(id, .shown(width: 640, height: 480, scale: 1, atBootMs: nowMs)))
            }
        }
    }

    /// Grants or refuses the requests to hold input.
    mutating func answerHolds() {
        for case .holdInput(let id) in acts where panes[id] != nil {
            if holds { held.insert(id) } else { held.remove(id) }
            tell(.pane(id, .held(holds, holds ? nil : Message(verbatim: "a menu is open"))))
        }
        acts.removeAll { if case .holdInput = $0 { true } else { false } }
    }

    // MARK: - Helpers answer

    /// Answers everything that waits, and its consequences, until nothing waits.
    mutating func settle() {
        for _ in 0..<100 {
            mapPanes()
            answerHolds()
            guard !pending.isEmpty else { return }
            let orders = pending
            pending = []
            for order in orders { answer(order) }
        }
        wrongs.append("it never settles")
    }

    mutating func answer(_ order: ShieldEffect) {
        switch order {
        case .askLook(let app, let ticket, let counts, _):
            guard answersLooks else { return pending.append(order) }
            let shield = counts ? "shield-\(ticket)" : nil
            looks += 1
            var view = Self.view(title ?? "Look \(app)")
            view.goodUntilMs = goodForMs.map { now.wallMs + $0 }
            tell(.look(app: app, ticket: ticket, .look(view, shield: shield)))
        case .draw(let key, let request):
            guard drawsPictures else { return pending.append(order) }
            lastFile += 1
            let path = "/run/\(lastFile)"
            files.insert(path)
            let spots = [DrawnSpot(id: "primary", x: 0, y: 0, width: 10, height: 10)]
            let bytes = request.width * request.height * 4
            let picture = ShieldPicture(
                path: path,
                width: request.width,
                height: request.height,
                bytes: bytes,
                spots: spots
            )
            tell(.drawn(key, .success(picture)))
        case .verdict(let app, _): tell(.verdict(app: app, verdicts[app] ?? .allowed(.signal)))
        case .underway(let app, _): tell(.underway(app: app, calls[app].map { Message(verbatim: $0) }))
        case .pause(let app, _):
            paused.insert(app)
            tell(.paused(app: app, .paused(.signal, processes: 1)))
        case .thaw(let app):
            paused.remove(app)
            tell(.thawed(app: app))
        case .end(let app, _):
            ended.insert(app)
            tell(.ended(app: app, processes: 1))
        case .requestOffer, .press, .requestTime, .screen, .forget, .shielded, .notify: break
        }
    }

    static func view(_ title: String, secondary: Bool = true, submenu: [String] = []) -> ShieldAppearanceView
    {
        let color = ShieldColor(light: "#112233FF", dark: "#445566FF")
        let look = ShieldAppearance(
            background: color,
            title: ShieldText(text: title, color: color),
            primary: ShieldText(text: "OK", color: color),
            secondary: secondary ? ShieldText(text: "More", color: color) : nil,
            submenu: submenu
        )
        return ShieldAppearanceView(look: look, source: .app, app: "org.asks")
    }

    // MARK: - Asking

    var pane: PaneID? { panes.keys.min { $0.rawValue < $1.rawValue } }

    mutating func forget() {
        orders = []
        acts = []
    }

    func shieldOf(_ app: String) -> ScreenShield? { director.reply.shields.first { $0.app == app } }

    var lastPress: (shield: String, button: ShieldButton, press: Int64)? {
        for case .press(_, let shield, let button, let press) in orders.reversed() {
            return (shield, button, press)
        }
        return nil
    }

    /// Returns a bench with a shielded game and an editor beside it.
    static func shielded(
        _ settings: ShieldSettings = ShieldSettings(),
        isReady: Bool = true,
        _ prepare: (inout ShieldingBench) -> Void = { _ in }
    ) -> ShieldingBench {
        var bench = ShieldingBench(settings, isReady: isReady)
        prepare(&bench)
        bench.window("x11:1", editor, pid: 50)
        bench.window("x11:2", game)
        bench.focus("x11:2")
        bench.shield()
        bench.settle()
        return bench
    }
}
