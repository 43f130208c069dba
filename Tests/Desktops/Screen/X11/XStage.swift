import Glibc
import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Synchronization

/// A display with the adapter, the adapter's events, and a program with windows.
final class XStage: Sendable {
    private struct Heard {
        var events: [DesktopEvent] = []
        var scene = DesktopModel()
        var wanted: WindowID?
        var wantedSince: Int64?
        var thread: AdapterThread?
        var stallMs: Int32 = 0
    }

    let scratch: ScratchDirectory
    let display: XDisplay
    let screen: X11Screen
    private let heard: Mutex<Heard>
    private let bell: WakeDescriptor

    init(
        monitors: [ScreenRect] = [],
        dpi: Int = 96,
        hasWindowManager: Bool = true,
        usesCounters: Bool = true,
        idleAfterMs: Int64 = 3_600_000
    ) throws {
        scratch = try ScratchDirectory()
        display = try XDisplay(
            scratch,
            monitors: monitors,
            dpi: dpi,
            hasWindowManager: hasWindowManager
        )
        screen = X11Screen(environment: display.environment, usesCounters: usesCounters)
        heard = Mutex(Heard())
        bell = try WakeDescriptor()
        try screen.start(idleAfterMs: idleAfterMs) { [weak self] in self?.take($0) }
        try waits("the display is known") { scene.isKnown }
    }

    /// Stops the display. Must be called at the end of each test, because a display uses many resources.
    func end() {
        screen.close()
        display.stop()
    }

    func perform(_ acts: DesktopAction...) { screen.perform(acts) }

    /// Blocks the adapter's thread for `ms` at the next event.
    func stall(ms: Int32) { heard.withLock { $0.stallMs = ms } }

    private func take(_ event: DesktopEvent) {
        let stallMs = heard.withLock { heard in
            defer { heard.stallMs = 0 }
            return heard.stallMs
        }
        if stallMs > 0 { _ = poll(nil, 0, stallMs) }
        heard.withLock { heard in
            heard.events.append(event)
            if heard.thread == nil { heard.thread = AdapterThread.current() }
            if case .focus(let id, _) = event, id != nil, id == heard.wanted, heard.wantedSince == nil {
                heard.wantedSince = Stopwatch.bootMicroseconds()
            }
            heard.scene.apply(event) { window in
                AppIdentity(id: window.windowClass ?? "?", clue: .windowClass, steps: [])
            }
        }
        bell.signal()
    }

    var events: [DesktopEvent] { heard.withLock { $0.events } }
    var scene: DesktopModel { heard.withLock { $0.scene } }

    /// Records the moment at which this window is next reported as active.
    func watch(for window: WindowID) {
        heard.withLock { heard in
            heard.wanted = window
            heard.wantedSince = nil
        }
    }

    /// The recorded moment, in microseconds of boot time.
    var watched: Int64? { heard.withLock { $0.wantedSince } }

    /// The adapter's own thread.
    var thread: AdapterThread? { heard.withLock { $0.thread } }

    func forgetEvents() { heard.withLock { $0.events = [] } }

    /// Waits until the condition is true, and checks it after every event.
    func waits(_ what: String, within limit: Duration = .seconds(20), _ condition: () throws -> Bool) throws {
        let deadlineMs = Stopwatch.milliseconds() + limit.milliseconds
        while true {
            if try condition() { return }
            guard Stopwatch.milliseconds() < deadlineMs else {
                throw NotYet("\(what): not within \(limit); last told: \(events.suffix(12))")
            }
            _ = bell.wait(withinMs: 20)
        }
    }

    func program() throws -> LineProgram {
        try LineProgram(display, LineProgram.built("screentime-x11-window"))
    }

    /// Opens a new window of a program, and waits until it is known and active.
    func window(
        _ program: LineProgram,
        title: String,
        name: String = "App",
        x: Int = 100,
        y: Int = 100,
        width: Int = 400,
        height: Int = 300
    ) throws -> XHandle {
        let answer = try program.ask("map \(title) \(name) \(x) \(y) \(width) \(height)")
        let words = answer.split(separator: " ")
        guard words.count == 2, let number = Int(words[0]), let id = UInt32(words[1]) else {
            throw NotYet(answer)
        }
        let handle = XHandle(program: program, number: number, id: id)
        try waits("\(title) is known") {
            // A window manager activates new windows.
            let isInFront = !scene.abilities.minimizes || scene.focusedWindow == handle.window
            return isInFront && scene.windows[handle.window]?.window.isShown == true
        }
        return handle
    }

    func seen(_ handle: XHandle) -> DesktopWindow? { scene.windows[handle.window]?.window }

    func order(_ name: String, over handle: XHandle, takesKeys: Bool = true) -> PaneRequest {
        PaneRequest(
            id: PaneID(name),
            place: .over(handle.window),
            background: 0xFF_AA_11_22,
            name: "Time is up",
            takesKeys: takesKeys
        )
    }

    /// Returns the events of a pane.
    func told(_ name: String) -> [PaneEvent] {
        events.compactMap { event in
            if case .pane(let id, let what) = event, id.rawValue == name { return what }
            return nil
        }
    }

    func isShown(_ name: String) -> Bool {
        told(name).last { event in
            switch event {
            case .shown, .hidden, .failed: true
            default: false
            }
        }.map { if case .shown = $0 { true } else { false } } ?? false
    }

    func held(_ name: String) -> Bool? {
        told(name).compactMap { if case .held(let isHeld, _) = $0 { isHeld } else { nil } }.last
    }

    var idleSince: Int64? {
        events.compactMap { if case .idle(let sinceBootMs) = $0 { sinceBootMs } else { nil } }.last
    }

    var touchedAt: Int64? {
        events.compactMap { if case .touched(let atBootMs) = $0 { atBootMs } else { nil } }.last
    }

    var losses: Int { events.count { if case .lost = $0 { true } else { false } } }

    var screenFacts: X11Facts { X11Screen.probe(environment: display.environment) }

    /// Opens a pane over a window and waits until it is shown.
    func cover(_ handle: XHandle, _ name: String = "cover") throws {
        screen.perform([.openPane(order(name, over: handle))])
        try waits("\(name) is shown") { isShown(name) }
    }
}

/// A window of a program, for use by a test.
struct XHandle {
    let program: LineProgram
    let number: Int
    let id: UInt32

    var window: WindowID { WindowID("x11:0x" + String(id, radix: 16)) }

    @discardableResult
    func tell(_ command: String) throws -> String { try program.ask("\(number) \(command)") }
}

/// Number of the display's replies.
final class AnswerCount: Sendable {
    private let value = Mutex(0)

    func add() { value.withLock { $0 += 1 } }

    var count: Int { value.withLock { $0 } }
}

/// The real content of a display, read independently.
enum XTruth {
    /// Returns the frame of a window, read by another program.
    static func frame(of handle: XHandle, on display: XDisplay) throws -> ScreenRect {
        let text = try display.run("xwininfo", "-id", String(handle.id))
        func number(_ name: String) throws -> Int {
            guard let line = text.split(separator: "\n").first(where: { $0.contains(name) }),
                let value = line.split(separator: ":").last.flatMap({ Int($0.filter { $0 != " " }) })
            else { throw NotYet("no \(name) in \(text)") }
            return value
        }
        return ScreenRect(
            x: try number("Absolute upper-left X"),
            y: try number("Absolute upper-left Y"),
            width: try number("Width"),
            height: try number("Height")
        )
    }

    /// Compares the scene with that of a second adapter that has not received the earlier events.
    static func differences(_ stage: XStage) throws -> [String] {
        let found = Mutex(DesktopModel())
        let other = X11Screen(environment: stage.display.environment)
        try other.start(idleAfterMs: 3_600_000) { event in
            found.withLock { $0.apply(event) { _ in nil } }
        }
        defer { other.close() }
        guard comesTrue({ found.withLock { $0.isKnown } }) else { return ["the second look did not end"] }
        let truth = found.withLock { $0 }
        let seen = stage.scene
        var result: [String] = []
        for id in Set(truth.windows.keys).union(seen.windows.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
            let one = seen.windows[id]?.window
            let other = truth.windows[id]?.window
            if one != other { result.append("\(id): seen \(one as Any), is \(other as Any)") }
        }
        if truth.focusedWindow != seen.focusedWindow {
            result.append("focus: seen \(seen.focusedWindow as Any), is \(truth.focusedWindow as Any)")
        }
        return result
    }
}
