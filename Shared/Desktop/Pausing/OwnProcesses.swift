import Glibc
import STPlatform

/// Which processes are the system's own, and which ones those could not live without.
struct OwnProcesses: Sendable {
    private let view: ProcessView
    private let facts: NeverFacts
    private let ours: Set<Int32>
    private let ancestors: Set<Int32>
    /// Where our programs lie.
    private let folder: String?

    init(_ view: ProcessView, _ facts: NeverFacts) {
        self.view = view
        self.facts = facts
        ours = facts.ownPids.union([getpid()])
        ancestors = ours.reduce(into: []) { $0.formUnion(view.ancestors(of: $1)) }
        folder = ProcessDetails.executable(getpid()).map(Self.folder)
    }

    /// Why it must run; nil when nothing of ours depends on it.
    func reason(_ pid: Int32) -> String? {
        if ours.contains(pid) || isOfTheSystem(pid) { return "It is Screen Time itself." }
        if ancestors.contains(pid) {
            return "Screen Time was started from it, and would stop together with it."
        }
        return nil
    }

    /// Started for our directory, and one of our programs: an app that a person starts from a shell which has our
    /// directory in its environment is still an app.
    private func isOfTheSystem(_ pid: Int32) -> Bool {
        guard let run = facts.runDirectory, let folder, let path = ProcessDetails.executable(pid),
            Self.folder(path) == folder
        else { return false }
        return ProcessTable.value(of: "SCREENTIME_RUN", in: pid) == run
    }

    private static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
