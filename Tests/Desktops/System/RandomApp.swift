import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

/// A program of the random walk, with its windows and the actions on them, also while it is stopped.
final class RandomApp {
    let name: String
    private let house: KillHouse
    private(set) var program: LineProgram
    /// The program's number and the X id of each window.
    private var windows: [(number: Int, id: UInt32)] = []

    private static let windowsMax = 4

    init(_ house: KillHouse, _ name: String) throws {
        self.house = house
        self.name = name
        program = try house.program()
    }

    var pid: Int32 { program.process.pid }

    /// `others` are processes that it may pretend to be.
    func step(_ random: inout SeededRandom, others: [Int32]) throws {
        _ = program.lines()
        if random.chance(perMille: 8) { return try restart() }
        if windows.isEmpty || windows.count < Self.windowsMax && random.chance(percent: 10) {
            return try map(&random)
        }
        guard let window = random.pick(windows) else { return }
        if KillHouse.isStopped(pid) || random.chance(percent: 25) {
            fromOutside(window.id, &random)
        } else {
            try byItself(window, random: &random, others: others)
        }
    }

    /// Ends everything that would prevent a shield from pausing it.
    func calm() throws {
        try program.send("menu close")
        for (number, _) in windows { try program.send("\(number) class \(name)") }
    }

    private func map(_ random: inout SeededRandom) throws {
        guard !KillHouse.isStopped(pid) else { return }
        let place = "\(random.number(0...900)) \(random.number(0...500)) \(random.number(80...700)) 200"
        // If it is stopped before reading the command, the window appears later, and the test does not know of it.
        guard let answer = try? program.ask("map \(name) \(name) \(place)", within: .seconds(1)) else {
            return
        }
        let words = answer.split(separator: " ")
        guard words.count == 2, let number = Int(words[0]), let id = UInt32(words[1]) else { return }
        windows.append((number, id))
    }

    private func restart() throws {
        program.process.signal(SIGKILL)
        _ = program.process.wait(deadlineMs: 5_000)
        windows = []
        program = try house.program()
    }

    private func byItself(
        _ window: (number: Int, id: UInt32),
        random: inout SeededRandom,
        others: [Int32]
    ) throws {
        let words: String
        switch random.number(0...17) {
        case 0: words = "move \(random.number(-200...1200)) \(random.number(-100...700))"
        case 1: words = "resize \(random.number(1...1200)) \(random.number(1...700))"
        case 2: words = "raise"
        case 3: words = "unmap"
        case 4, 5: words = "show"
        case 6: words = "desktop \(random.number(0...1))"
        case 7: words = "minimize"
        case 8, 9: words = "activate"
        case 10: words = "fullscreen \(random.chance(percent: 40) ? "on" : "off")"
        case 11: words = "title \(random.number(0...99_999))"
        case 12: words = "class \(random.pick(XHouse.classes + ["none", name, name]) ?? name)"
        case 13: words = "pid \(random.pick(others + [pid, pid]) ?? pid)"
        case 14: words = "title-bytes \(random.number(1...60_000)) ff"
        case 15: words = random.chance(percent: 50) ? "menu open" : "storm \(random.number(1...5))"
        case 16:
            words = "destroy"
            windows.removeAll { $0.number == window.number }
        default: words = "menu close"
        }
        try program.send("\(window.number) \(words)")
        if words == "menu open" { try program.send("menu close") }
    }

    /// Acts like the window manager and other programs. A window that no longer exists is ignored.
    private func fromOutside(_ id: UInt32, _ random: inout SeededRandom) {
        let id = String(id)
        let words: [String]
        switch random.number(0...7) {
        case 0: words = ["windowmove", id, "\(random.number(0...1200))", "\(random.number(0...700))"]
        case 1: words = ["windowsize", id, "\(random.number(20...900))", "\(random.number(20...600))"]
        case 2: words = ["windowraise", id]
        case 3: words = ["windowminimize", id]
        case 4: words = ["set_desktop", "\(random.number(0...1))"]
        case 5:
            words = ["mousemove", "\(random.number(0...1200))", "\(random.number(0...700))", "click", "1"]
        case 6: words = ["set_desktop_for_window", id, "\(random.number(0...1))"]
        default: words = ["windowactivate", id]
        }
        _ = try? house.display.run("xdotool", list: words)
    }
}
