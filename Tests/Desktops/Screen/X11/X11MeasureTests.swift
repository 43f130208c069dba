import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// Prints figures. The tests only check that they can be measured.
@Suite("Latency and wake-ups on an X display", .serialized)
struct X11MeasureTests {
    private static let repeats = TestScale.count(20, soak: 200)

    private func figures(_ name: String, _ values: [Int64]) {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return }
        let late = values.count { $0 > 50_000 }
        print(
            "\(name): n \(values.count), least \(least) µs, median \(sorted[sorted.count / 2]) µs,",
            "p99 \(sorted[sorted.count * 99 / 100]) µs, most \(most) µs, over 50 ms: \(late)"
        )
    }

    @Test("Each change of focus on X is reported, and its latency is measured")
    func focus() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let handles = [
            try stage.window(program, title: "one"), try stage.window(program, title: "two", x: 600),
        ]
        var values: [Int64] = []
        for turn in 0..<Self.repeats {
            let handle = handles[turn % 2]
            stage.watch(for: handle.window)
            let start = Stopwatch.bootMicroseconds()
            try program.send("\(handle.number) activate")
            try stage.waits("it is in front") { stage.watched != nil }
            values.append((stage.watched ?? start) - start)
            _ = try program.nextLine()
        }
        figures("focus change to event, with the window manager's part", values)
        #expect(values.count == Self.repeats)
    }

    @Test("A cover on X reaches the screen after each order, and the time is measured")
    func cover() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "covered")
        let frame = try #require(stage.seen(handle)?.frame)
        let path = try LineProgram.built("screentime-x11-observer")
        let observer = try LineProgram(stage.display, path, arguments: "\(frame.x + 50)", "\(frame.y + 50)")
        _ = try observer.nextLine()
        var values: [Int64] = []
        for _ in 0..<Self.repeats {
            let start = Stopwatch.bootMicroseconds()
            stage.perform(.openPane(stage.order("cover", over: handle)))
            let line = try observer.nextLine().split(separator: " ")
            #expect(line.last == "#aa1122")
            values.append((line.first.flatMap { Int64($0) } ?? .max) - start)
            stage.perform(.closePane(PaneID("cover")))
            #expect(try observer.nextLine().hasSuffix("#3366cc"))
        }
        figures("order of a cover to its pixel", values)
    }

    @Test("A covered window on X that is raised is covered again, and the time is measured")
    func raise() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let covered = try stage.window(program, title: "covered")
        let other = try stage.window(program, title: "other")
        try other.tell("colour 00ff00")
        try stage.cover(covered)
        let frame = try #require(stage.seen(covered)?.frame)
        let path = try LineProgram.built("screentime-x11-observer")
        let observer = try LineProgram(stage.display, path, arguments: "\(frame.x + 50)", "\(frame.y + 50)")
        _ = try observer.nextLine()
        var values: [Int64] = []
        for _ in 0..<Self.repeats {
            let start = Stopwatch.bootMicroseconds()
            try covered.tell("activate")
            // The app itself may be visible first. The measurement includes this time.
            var line = try observer.nextLine()
            while !line.hasSuffix("#aa1122") { line = try observer.nextLine() }
            values.append((line.split(separator: " ").first.flatMap { Int64($0) } ?? .max) - start)
            try other.tell("activate")
            while !line.hasSuffix("#00ff00") { line = try observer.nextLine() }
        }
        figures("raise of a covered window to its cover", values)
        #expect(values.count == Self.repeats)
    }

    @Test("A held cover on X causes at most two wake-ups in five seconds")
    func quiet() async throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "quiet")
        try stage.cover(handle)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is held") { stage.held("cover") == true }
        // The second attempt to hold input follows after a second.
        try await Task.sleep(for: .milliseconds(2_500))
        let thread = try #require(stage.thread)
        let before = thread.sleeps
        try await Task.sleep(for: .seconds(5))
        let after = thread.sleeps
        #expect(before > 0)
        print("wake-ups of the adapter's thread in five quiet seconds under a held cover: \(after - before)")
        #expect(after - before <= 2)
    }
}
