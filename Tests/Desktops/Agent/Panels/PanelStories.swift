import STContracts
import STDesktop
import STPlatform

@testable import STDesktopCore

/// A director with a simulated screen and clock. Performs its orders and keeps the results.
struct PanelStories {
    var director: PanelStateMachine
    var scene = DesktopModel()
    var nowMs: Int64 = 1_000_000
    /// The panes on the screen, each with the last request to draw it.
    var open: [String: DrawPanelRequest?] = [:]
    var painted: [String: PanePicture] = [:]
    var answers: [QuestionAnswer] = []
    var asks: [(app: String, ticket: Int64)] = []
    var files: Set<String> = []
    var drawings = 0
    /// The director's violations of its guarantees.
    var faults: [String] = []
    private var fileCount = 0
    /// True if panes appear and drawings finish immediately.
    var isPrompt = true

    init(_ settings: PanelSettings = PanelSettings(hasCountdown: true), member: String? = "minji") {
        director = PanelStateMachine(settings)
        tell(.ready(ScreenAbilities()))
        run { $0.updateMember(member, $1) }
    }

    var now: TimeReading { TimeReading(wallMs: 1_700_000_000_000 + nowMs, bootMs: nowMs, monotonicMs: nowMs) }

    var question: DrawPanelRequest? { open["panel:question"] ?? nil }
    var countdown: String? { (open["panel:countdown"] ?? nil)?.time }
    var warning: DrawPanelRequest? { open["panel:warning"] ?? nil }

    mutating func run(_ body: (inout PanelStateMachine, TimeReading) -> [PanelEffect]) {
        take(body(&director, now))
    }

    mutating func tell(_ event: DesktopEvent) {
        scene.apply(event) {
            AppIdentity(id: $0.windowClass ?? "other", name: $0.title, clue: .executable, steps: [])
        }
        let scene = scene
        run { $0.take(scene, event: event, now: $1) }
    }

    /// Brings an app to the foreground.
    mutating func front(_ app: String?, name: String? = nil) {
        guard let app else { return tell(.focus(nil, atBootMs: nowMs)) }
        tell(.window(DesktopWindow(id: WindowID("x11:\(app)"), title: name ?? app, windowClass: app)))
        tell(.focus(WindowID("x11:\(app)"), atBootMs: nowMs))
    }

    /// Advances the time, with a wake-up only when the director requests one. Returns the number of wake-ups.
    @discardableResult
    mutating func pass(_ ms: Int64) -> Int {
        let endMs = nowMs + ms
        var wakes = 0
        while let next = director.nextTick(now), next.ms <= endMs, wakes < 10_000 {
            nowMs = max(nowMs, next.ms)
            run { $0.tick($1) }
            wakes += 1
        }
        nowMs = endMs
        return wakes
    }

    mutating func key(_ key: PaneKey) { tell(.pane(PaneID("panel:question"), .key(key))) }

    mutating func press(_ spot: String) { tell(.pane(PaneID("panel:question"), .pressed(spot))) }

    mutating func ask(
        _ request: String,
        app: String = "com.example.focus",
        member: String = "minji",
        provers: [String] = ["mum"],
        state: AuthRequestState = .pending,
        forMs: Int64 = 60_000
    ) {
        let question = AuthQuestion(
            request: request,
            app: app,
            appName: "Focus",
            member: member,
            scope: .child,
            reasons: [
                Message(
                    "app-permission.see-usage",
                    "See how long you use the apps, categories and sites that you choose."
                )
            ],
            provers: provers,
            state: state,
            expiresAt: RFC3339.text(wallMs: now.wallMs + forMs)
        )
        run { $0.receiveQuestion(question, $1) }
    }

    mutating func refuse(_ code: String, _ details: [String: String] = [:]) {
        guard let last = answers.last else { return }
        let problem = Problem(code, "No.", details: details)
        run { $0.receiveAnswerResult(last.request, refusal: problem, $1) }
    }

    /// Answers the last request for the budget of the foreground app with the remaining time.
    mutating func budget(_ leftMs: Int64?) {
        guard let ask = asks.last else { return faults.append("no question was asked") }
        let crossing = leftMs.map { now.boot + .milliseconds($0) }
        run { $0.receiveBudget(ticket: ask.ticket, crossing: crossing, $1) }
    }

    private mutating func take(_ orders: [PanelEffect]) {
        for order in orders {
            switch order {
            case .screen(let acts): for act in acts { perform(act) }
            case .draw(let pane, let request, let ticket):
                drawings += 1
                guard open.keys.contains(pane.rawValue) else {
                    return faults.append("drawn for no open pane")
                }
                open[pane.rawValue] = request
                guard isPrompt else { continue }
                fileCount += 1
                let path = "/run/\(fileCount)"
                files.insert(path)
                let answer = DrawPanelAnswer(
                    width: request.width,
                    height: request.height,
                    bytes: 4 * request.width * request.height,
                    spots: [],
                    warnings: []
                )
                run { $0.drawingDidFinish(pane, ticket: ticket, path: path, answer: answer, $1) }
            case .forget(let paths): files.subtract(paths)
            case .askBudget(let app, let ticket): asks.append((app, ticket))
            case .answer(let answer): answers.append(answer)
            }
        }
    }

    private mutating func perform(_ act: DesktopAction) {
        switch act {
        case .openPane(let order):
            let id = order.id.rawValue
            if open.keys.contains(id) { faults.append("opened twice: \(id)") }
            open.updateValue(nil, forKey: id)
            if isPrompt {
                tell(.pane(order.id, .shown(width: 480, height: 400, scale: 1, atBootMs: nowMs)))
            }
        case .paint(let id, let picture):
            if !open.keys.contains(id.rawValue) { faults.append("painted what is closed") }
            if !files.contains(picture.path) { faults.append("painted a file that is gone") }
            painted[id.rawValue] = picture
        case .closePane(let id):
            if !open.keys.contains(id.rawValue) { faults.append("closed twice: \(id)") }
            open.removeValue(forKey: id.rawValue)
        default: faults.append("not for panels: \(act)")
        }
    }
}
