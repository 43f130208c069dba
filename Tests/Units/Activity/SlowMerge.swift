import STContracts

@testable import STActivityCore

/// A simple reference for merged reports of several agents, which counts every millisecond.
///
/// Each millisecond is in one counter until its usage is determined, so it cannot count twice.
struct SlowMerge {
    private struct Last {
        var presence: Presence
        var app: String?
        var heardMs: Int64
        var inputMs: Int64
    }

    private var agents: [String: Last] = [:]
    private var holder: String?
    private var shown = ""
    private var isActive = false
    private var nowMs: Int64 = 0
    private var pile: Int64 = 0
    private(set) var counted: [String: Int64] = [:]

    /// Handles a report of an agent. The counted time ends at the holder's last report.
    mutating func hear(_ agent: String, _ seen: Observation) {
        if holder == nil { nowMs = seen.bootMs }
        while nowMs < seen.bootMs {
            nowMs += 1
            pile += 1
        }
        let heardOfHolderMs = holder.flatMap { agents[$0]?.heardMs } ?? nowMs
        let before = agents[agent]
        let turnedUpMs = before?.presence == .active ? before?.inputMs ?? nowMs : nowMs
        agents[agent] = Last(
            presence: seen.presence,
            app: seen.app,
            heardMs: nowMs,
            inputMs: seen.inputBootMs ?? (seen.presence == .active ? turnedUpMs : before?.inputMs ?? nowMs)
        )
        let there = agents.filter { $0.value.presence == .active && nowMs - $0.value.heardMs <= 15_000 }
        let latest = there.values.map(\.inputMs).max()
        let names = there.filter { $0.value.inputMs == latest }.keys
        let winner = names.contains(holder ?? "") ? holder : names.min()
        if let holder, holder != agent, winner == nil || winner == holder { return }
        let isSilent = isActive && nowMs - heardOfHolderMs > 15_000
        let isKnown = !isSilent || agent == holder && seen.unbroken == true
        if pile > 0 { counted[isKnown ? shown : "- unobserved", default: 0] += pile }
        pile = 0
        holder = winner ?? agent
        let state = agents[holder ?? ""]
        isActive = state?.presence == .active
        shown = "\(state?.app ?? "-") \(state?.presence.rawValue ?? "")"
    }
}
