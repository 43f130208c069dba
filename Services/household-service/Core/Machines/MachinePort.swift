/// The port for other machines: its current address and key, and the roster of keys that may connect.
package struct MachinePort: Sendable {
    package enum Step: Sendable, Equatable {
        case open(HouseholdState.ServiceIdentity)
        /// Updates the keys that may connect.
        case admit
        case close
    }

    private var own: HouseholdState.ServiceIdentity?
    private var roster = -1
    private var examinedMs: Int64 = 0

    package init() {}

    /// The step that makes the port match a state.
    package mutating func step(for state: HouseholdState, nowMs: Int64) -> Step? {
        guard let wanted = state.identity, state.needsMachinePort(nowMs: nowMs) else {
            return own == nil ? nil : .close
        }
        guard own?.address == wanted.address, own?.secret == wanted.secret else {
            // The port stays closed if opening it fails.
            own = nil
            return .open(wanted)
        }
        let isDue = state.dueMs(after: examinedMs).map { $0 <= nowMs } ?? false
        return isDue || roster != state.rosterVersion ? .admit : nil
    }

    /// Records that a step was carried out.
    package mutating func finish(_ step: Step?, for state: HouseholdState, nowMs: Int64) {
        switch step {
        case nil, .admit?: break
        case .open(let opened)?: own = opened
        case .close?: own = nil
        }
        (roster, examinedMs) = (state.rosterVersion, nowMs)
    }
}
