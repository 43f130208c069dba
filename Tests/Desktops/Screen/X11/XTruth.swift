import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Synchronization

/// What is on a display, asked afresh.
enum XTruth {
    /// By another program.
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

    /// By a second adapter that has heard nothing of what happened before.
    static func differences(_ stage: XStage) throws -> [String] {
        let found = Mutex(DesktopScene())
        let other = X11Screen(environment: stage.display.environment)
        try other.start(idleAfterMs: 3_600_000) { event in
            found.withLock { $0.take(event) { _ in nil } }
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
        if truth.focus != seen.focus {
            result.append("focus: seen \(seen.focus as Any), is \(truth.focus as Any)")
        }
        return result
    }
}
