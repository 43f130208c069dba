import Foundation
import Synchronization

/// A program like any app's: prints the time from the functions that foreign code uses.
@main
enum Main {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "wait": waitForCondition()
        case "children": askChild()
        default: while readLine() != nil { tell() }
        }
    }

    /// Prints one line of all clocks.
    private static func tell() {
        let date = Date()
        var day = timeval()
        gettimeofday(&day, nil)
        var coarse = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &coarse)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
        let words = [
            String(Int64((date.timeIntervalSince1970 * 1000).rounded())), String(time(nil)),
            String(Int64(day.tv_sec) * 1000 + Int64(day.tv_usec) / 1000),
            String(Int64(coarse.tv_sec) * 1000 + Int64(coarse.tv_nsec) / 1_000_000),
            TimeZone.current.identifier, formatter.string(from: date), String(boot()),
        ]
        say(words.joined(separator: "|"))
    }

    /// Prints the real duration of a wait until a date.
    private static func waitForCondition() {
        let condition = NSCondition()
        let start = boot()
        condition.lock()
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.2))
        condition.unlock()
        let afterCondition = boot()
        let semaphore = DispatchSemaphore(value: 0)
        _ = semaphore.wait(timeout: .now() + 0.1)
        let afterSemaphore = boot()
        Thread.sleep(until: Date(timeIntervalSinceNow: 0.1))
        say("\(afterCondition - start)|\(afterSemaphore - afterCondition)|\(boot() - afterSemaphore)")
    }

    /// Reads the clock in many threads simultaneously.
    private static func askChild() {
        let seen = Mutex<Set<Int64>>([])
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            let now = Int64((Date().timeIntervalSince1970 * 1000).rounded())
            _ = seen.withLock { $0.insert(now) }
        }
        say(seen.withLock { $0.sorted().map(String.init).joined(separator: "|") })
    }

    /// Writes immediately, also to a pipe or a file.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func boot() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
