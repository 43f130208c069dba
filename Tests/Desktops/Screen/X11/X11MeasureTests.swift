import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// Figures that are printed; what is claimed is only that they can be taken.
@Suite("Figures of an X display", .serialized)
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

    @Test("from the change of focus to its event")
    func focus() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let handles = [try stage.window(program, "one"), try stage.window(program, "two", x: 600)]
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

    @Test("from the order of a cover to its colour on the screen")
    func cover() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), "covered")
        let frame = try #require(stage.seen(handle)?.frame)
        let path = try LineProgram.built("screentime-x11-observer")
        let observer = try LineProgram(stage.display, path, "\(frame.x + 50)", "\(frame.y + 50)")
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

    @Test("from a covered window's raise to its cover above it again")
    func raise() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let covered = try stage.window(program, "covered")
        let other = try stage.window(program, "other")
        try other.tell("colour 00ff00")
        try stage.cover(covered)
        let frame = try #require(stage.seen(covered)?.frame)
        let path = try LineProgram.built("screentime-x11-observer")
        let observer = try LineProgram(stage.display, path, "\(frame.x + 50)", "\(frame.y + 50)")
        _ = try observer.nextLine()
        var values: [Int64] = []
        for _ in 0..<Self.repeats {
            let start = Stopwatch.bootMicroseconds()
            try covered.tell("activate")
            // The app itself may be seen first, for as long as this measures.
            var line = try observer.nextLine()
            while !line.hasSuffix("#aa1122") { line = try observer.nextLine() }
            values.append((line.split(separator: " ").first.flatMap { Int64($0) } ?? .max) - start)
            try other.tell("activate")
            while !line.hasSuffix("#00ff00") { line = try observer.nextLine() }
        }
        figures("raise of a covered window to its cover", values)
        #expect(values.count == Self.repeats)
    }

    @Test("nothing wakes the adapter while nothing happens")
    func quiet() async throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), "quiet")
        try stage.cover(handle)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is held") { stage.held("cover") == true }
        // The second try of the hold comes after a second.
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
