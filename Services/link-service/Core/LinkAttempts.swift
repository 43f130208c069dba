package import STPlatform

/// Failed attempts to exchange data with the household, and the address to use next.
package struct LinkAttempts: Sendable {
    package enum Direction: Sendable { case sending, receiving }

    /// The number of consecutive failures of each kind of work.
    private var failures: [Direction: Int] = [:]
    /// The boot time of the next attempt to send.
    package var next = BootTime(ms: 0)
    /// The number of combinations of an address and a key of the household.
    package var endpointCount = 1
    /// The number of changes to the next combination.
    package var turns = 0

    package init() {}

    package var hasFailures: Bool { !failures.isEmpty }

    package func count(_ work: Direction) -> Int { failures[work, default: 0] }

    /// Returns false if the work had not failed before.
    package mutating func succeed(_ work: Direction) -> Bool {
        guard failures.removeValue(forKey: work) != nil else { return false }
        if work == .sending { failures[.receiving] = nil }
        // Sending may succeed now, so its delay ends.
        next = BootTime(ms: 0)
        return true
    }

    /// Returns the number of consecutive failures.
    package mutating func fail(_ work: Direction) -> Int {
        failures[work, default: 0] += 1
        return count(work)
    }

    /// Changes to the next combination if the household does not reply. Returns false if there is no other one.
    package mutating func turn(after problem: Problem) -> Bool {
        guard problem.code == HouseholdProblem.unreached.code, endpointCount > 1 else { return false }
        turns += 1
        return true
    }
}
