import DeviceActivity
import Foundation
import Glibc
import ManagedSettings

/// Sets a store repeatedly, as an app's monitor does, and records each moment on a clock that is the same in all processes.
final class SettingMonitor: DeviceActivityMonitor {
    private static let turns = 100

    override func intervalDidStart(for activity: DeviceActivityName) {
        guard let folder = getenv("SCREENTIME_STATE").map({ String(cString: $0) + "/groups" }) else { return }
        let tokens = Self.tokens(folder + "/tokens")
        let store = ManagedSettingsStore(named: .init(activity.rawValue))
        for turn in 0..<Self.turns {
            // A different set each time.
            let apps = Set(tokens.dropFirst(turn % 2))
            let us = Self.bootMicroseconds()
            store.shield.applications = apps
            if let problem = store.lastProblem { print("refused: \(problem)") }
            Self.note("\(us) \(activity.rawValue) \(turn + 1)\n", folder + "/stamps")
            usleep(useconds_t.random(in: 500...5_000))
        }
    }

    /// Reads the tokens that the bench has written, one on each line.
    private static func tokens(_ path: String) -> [ApplicationToken] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            try? JSONDecoder().decode(ApplicationToken.self, from: Data("{\"data\": \"\(line)\"}".utf8))
        }
    }

    private static func bootMicroseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }

    private static func note(_ text: String, _ path: String) {
        // A short line that is appended to a file is written completely.
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        let line = Array(text.utf8)
        _ = write(file, line, line.count)
        close(file)
    }
}

ExtensionMain.run { SettingMonitor() }
