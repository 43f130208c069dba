package import STPlatform

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
    private var examined = WallTime(ms: 0)

    package init() {}

    /// The step that makes the port match a state.
    package mutating func step(for state: HouseholdState, at now: WallTime) -> Step? {
        guard let wanted = state.identity, state.needsMachinePort(at: now) else {
            return own == nil ? nil : .close
        }
        guard own?.address == wanted.address, own?.secret == wanted.secret else {
            // The port stays closed if opening it fails.
            own = nil
            return .open(wanted)
        }
        let isDue = state.nextEnd(after: examined).map { $0 <= now } ?? false
        return isDue || roster != state.rosterVersion ? .admit : nil
    }

    /// Records that a step was carried out.
    package mutating func finish(_ step: Step?, for state: HouseholdState, at now: WallTime) {
        switch step {
        case nil, .admit?: break
        case .open(let opened)?: own = opened
        case .close?: own = nil
        }
        (roster, examined) = (state.rosterVersion, now)
    }
}
