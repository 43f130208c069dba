import DeviceActivity
import Glibc

/// Records the moment of each callback, on a clock that is the same in all processes.
final class StampingMonitor: DeviceActivityMonitor {
    override func intervalDidStart(for activity: DeviceActivityName) { Self.stamp(activity.rawValue, "-") }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        Self.stamp(activity.rawValue, event.rawValue)
    }

    private static func stamp(_ activity: String, _ event: String) {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let us = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        guard let folder = getenv("SCREENTIME_STATE") else { return }
        // In the state folder, an extension may open only its app's folder and those of groups. A short line that is appended to a
        // file is written completely.
        let file = open(String(cString: folder) + "/groups/stamps", O_WRONLY | O_APPEND | O_CREAT, 0o600)
        let line = Array("\(us) \(getpid()) \(activity) \(event)\n".utf8)
        _ = write(file, line, line.count)
        close(file)
    }
}

ExtensionMain.run { StampingMonitor() }
