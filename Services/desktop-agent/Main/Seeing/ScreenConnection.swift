import STBus
import STContracts
import STDesktop
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// The screen to observe, and the reason for the choice.
struct ChosenScreen: Sendable {
    var signs = ScreenProbeResult()
    var choice: AdapterChoice
    /// The screen, not started yet. `nil` if no screen can be observed.
    var screen: (any DesktopScreen)?

    /// Chooses the screen according to the environment of this process.
    static func choose(_ environment: [String: String], setting: String) -> ChosenScreen {
        let signs = ScreenProbeResult.probe(environment)
        let choice = AdapterChoice.make(signs, setting: setting)
        let screen: (any DesktopScreen)? =
            switch choice.kind {
            case .x11: X11Screen(environment: environment)
            case .wlroots, .kwin: WaylandScreen(environment: environment, kind: choice.kind)
            case .gnome: GnomeScreen(environment: environment)
            case .scripted, .none, .unknown: nil
            }
        return ChosenScreen(signs: signs, choice: choice, screen: screen)
    }
}

/// Returns the present screen. It may take seconds, so it is never called on the bus thread.
typealias ScreenChooser = @Sendable () -> ChosenScreen

/// Finds the screen, and finds it again after it was lost.
///
/// Runs on the bus thread.
actor ScreenConnection {
    /// The time between two searches for a screen: from one second to half a minute.
    private static let retry = Backoff(firstMs: 1_000, limitMs: 30_000)

    enum ScreenEvent {
        /// The properties of the displays after a search.
        case looked(ScreenProbeResult)
        case event(DesktopEvent)
        /// All events that arrived together were handled.
        case drained
        /// The display is gone, with everything on it.
        case lost
        /// There is no screen to observe. The keeper searches again later.
        case noScreen
    }

    private let surroundings: ServiceEnvironment
    private let choose: ScreenChooser
    private let idle: Duration
    private let screenThread = ScreenThread()
    private(set) var screen: (any DesktopScreen)?
    private(set) var choice: AdapterChoice?
    private(set) var signs = ScreenProbeResult()
    private var inbox: EventInbox?
    private var failures = 0
    private var retryTimer: UInt64?
    private var isClosed = false
    private var onEvent: (ScreenEvent) -> Void = { _ in }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ surroundings: ServiceEnvironment, _ choose: @escaping ScreenChooser) {
        self.surroundings = surroundings
        self.choose = choose
        idle = .milliseconds(surroundings.configuration.number(.desktopIdle))
    }

    /// Starts the search. `hear` is called on the bus thread.
    func start(_ hear: @escaping @Sendable (ScreenEvent) -> Void) {
        self.onEvent = hear
        open()
    }

    func close() async {
        isClosed = true
        if let retryTimer { surroundings.loop.thread.cancelTimer(retryTimer) }
        guard let screen else { return }
        self.screen = nil
        await withCheckedContinuation { continuation in screenThread.close(screen) { continuation.resume() } }
    }

    private func open() {
        retryTimer = nil
        guard !isClosed else { return }
        let thread = surroundings.loop.thread
        let inbox = EventInbox { [weak self] in
            thread.post { [weak self] in self?.assumeIsolated { $0.drainEvents() } }
        }
        screenThread.open(choose, idle: idle, inbox: inbox) { [weak self] chosen, problem in
            thread.post { [weak self] in
                self?.assumeIsolated { $0.opened(chosen, inbox: inbox, problem: problem) }
            }
        }
    }

    private func opened(_ chosen: ChosenScreen, inbox: EventInbox, problem: Problem?) {
        guard !isClosed else {
            if let screen = chosen.screen { screenThread.close(screen) {} }
            return
        }
        signs = chosen.signs
        if choice != chosen.choice {
            choice = chosen.choice
            surroundings.log.info(
                "screen",
                chosen.choice.reason.english,
                fields: ["adapter": .text(chosen.choice.kind.rawValue)]
            )
        }
        onEvent(.looked(signs))
        guard let screen = chosen.screen else {
            if let problem, failures == 0 { surroundings.log.problem("screen_unreachable", problem) }
            return reportNoScreen()
        }
        self.screen = screen
        self.inbox = inbox
        drainEvents()
    }

    private func drainEvents() {
        guard screen != nil, let inbox else { return }
        for event in inbox.takeAll() {
            if case .ready = event { failures = 0 }
            onEvent(.event(event))
            if case .lost(let problem) = event {
                handleLoss(problem)
                break
            }
        }
        onEvent(.drained)
    }

    private func handleLoss(_ problem: Problem) {
        surroundings.log.problem("screen_lost", problem)
        if let screen { screenThread.close(screen) {} }
        screen = nil
        inbox = nil
        onEvent(.lost)
        reportNoScreen()
    }

    private func reportNoScreen() {
        onEvent(.noScreen)
        failures += 1
        let delayMs = max(1_000, Self.retry.delayMs(attempt: failures))
        retryTimer = surroundings.loop.thread.after(milliseconds: delayMs) { [weak self] in
            self?.assumeIsolated { $0.open() }
        }
    }
}
