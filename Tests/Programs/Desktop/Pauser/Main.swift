import Glibc
import STDesktop
import STPausing
import STPlatform

/// Pauses an app and waits to be killed: `screentime-test-pauser STATE APP PID…`. PIDs can also be in the file `STATE/pids`.
///
/// Prints `paused` or the reason why not, and never thaws.
@main
enum Main {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst().map { $0 }
        guard words.count >= 2 else { exit(64) }
        let state = words[0]
        var pids = words.dropFirst(2).compactMap { Int32($0) }
        if pids.isEmpty, let bytes = try? AtomicFile.read("\(state)/pids", limitBytes: 4_096) {
            pids = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
        }
        let journal = PauseJournal(path: "\(state)/\(PauseJournal.fileName)")
        let pauser = try AppPauser(journal: journal, environment: [:]) { PauseExemptionFacts() }
        switch await pauser.pause(app: words[1], pids: pids) {
        case .paused(let means, let count): put("paused \(means) \(count)")
        case .refused(let reason): put("refused \(reason.english)")
        }
        while true { pause() }
    }

    private static func put(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
