import STContracts
import STDesktop
import STPlatform
import Synchronization

/// Shows panes immediately when requested, and records the moment.
final class ObedientScreen: DesktopScreen {
    struct Pane: Sendable {
        var order: PaneRequest
        var openedNs: Int64
        var picture: PanePicture?
    }

    private struct State {
        var heard: (@Sendable (DesktopEvent) -> Void)?
        var panes: [PaneID: Pane] = [:]
        var acts: [DesktopAction] = []
        var windows: [DesktopWindow] = []
        var focus: WindowID?
        var isSilent = false
    }

    let kind = AdapterKind.x11
    private let state = Mutex(State())

    init(_ windows: [DesktopWindow], focus: WindowID?) {
        state.withLock {
            $0.windows = windows
            $0.focus = focus
        }
    }

    func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws {
        var abilities = ScreenAbilities()
        abilities.covers = true
        abilities.holdsInput = true
        abilities.minimizes = true
        abilities.activates = true
        let (windows, focus) = state.withLock { state in
            state.heard = heard
            return (state.windows, state.focus)
        }
        for window in windows { heard(.window(window)) }
        heard(.focus(focus, atBootMs: Stopwatch.bootMilliseconds()))
        heard(.ready(abilities))
    }

    func tell(_ event: DesktopEvent) { state.withLock { $0.heard }?(event) }

    func perform(_ acts: [DesktopAction]) {
        let now = Stopwatch.nanoseconds()
        for act in acts {
            let heard = state.withLock { state in
                state.acts.append(act)
                switch act {
                case .openPane(let order): state.panes[order.id] = Pane(order: order, openedNs: now)
                case .paint(let id, let picture): state.panes[id]?.picture = picture
                case .closePane(let id): state.panes[id] = nil
                default: break
                }
                return state.heard
            }
            switch act {
            case .openPane(let order):
                heard?(
                    .pane(
                        order.id,
                        .shown(width: 640, height: 480, scale: 1, atBootMs: Stopwatch.bootMilliseconds())
                    )
                )
            case .holdInput(let id): heard?(.pane(id, .held(true, nil)))
            default: break
            }
        }
    }

    /// Simulates a program that has grabbed the display.
    func beSilent(_ isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }

    func waitUntilResponsive() async {
        while state.withLock({ $0.isSilent }) { try? await Task.sleep(for: .milliseconds(20)) }
    }

    func lastInputBootMs() async -> Int64? { nil }

    func close() { state.withLock { $0.heard = nil } }

    var panes: [Pane] { state.withLock { Array($0.panes.values) } }

    var acts: [DesktopAction] { state.withLock { $0.acts } }
}
