import STContracts
import STDesktop

/// Who pauses nothing, and remembers what was asked.
actor MadeUpPauser: AppPausing {
    private(set) var held: Set<String> = []
    private(set) var story: [String] = []

    func verdict(app: String, pids: [Int32]) -> PauseVerdict { .allowed(.signal) }

    func pause(app: String, pids: [Int32]) -> PauseOutcome {
        held.insert(app)
        story.append("pause \(app)")
        return .paused(.signal, processes: pids.count)
    }

    func isHeld(app: String) -> Bool { held.contains(app) }

    /// As somebody else would.
    func letGo(_ app: String) { held.remove(app) }

    func thaw(app: String) {
        held.remove(app)
        story.append("thaw \(app)")
    }

    func thawAll() { held = [] }

    func underway(app: String, pids: [Int32]) -> String? { nil }

    func end(app: String, pids: [Int32]) -> Int { 0 }
}
