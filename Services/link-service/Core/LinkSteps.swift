package import STContracts
package import STEngine
package import STPlatform

/// Transactions that link-service runs without a request.
///
/// A person can leave the household or join another one during a request to the household. Most steps therefore change nothing if
/// the membership is no longer the same.
package enum LinkSteps {
    package typealias Membership = LinkServiceState.Membership

    package static func join(
        _ membership: Membership,
        state: inout LinkServiceState,
        change: StoreTransaction
    ) throws {
        guard state.membership == membership else { return }
        var joined = membership
        joined.invitation = nil
        try state.setMembership(joined, change.database)
    }

    package static func cancelJoining(
        _ membership: Membership,
        because problem: Problem,
        state: inout LinkServiceState,
        change: StoreTransaction
    ) throws {
        guard state.membership == membership else { return }
        try state.setMembership(nil, change.database)
        state.contact.problem = problem
    }

    /// Records that the household has accepted or refused this machine's next key.
    package static func completeRenewal(
        of next: [UInt8],
        isTaken: Bool,
        _ state: inout LinkServiceState,
        _ change: StoreTransaction
    ) throws {
        guard state.membership?.next == next else { return }
        try state.updateMembership(change.database) { membership in
            membership.next = nil
            if isTaken { membership.secret = next }
        }
    }

    package static func setAccounts(
        _ accounts: [HouseholdAccount],
        of membership: Membership,
        state: inout LinkServiceState,
        change: StoreTransaction
    ) throws {
        guard state.membership == membership else { return }
        // Read the usage of a new person from the beginning, because this machine skipped it before.
        let new = Set(accounts.map(\.member)).subtracting(membership.accounts.map(\.member))
        try state.updateMembership(change.database) { membership in
            membership.accounts = accounts
            membership.read = membership.read.filter { !new.contains($0.key) }
        }
    }

    /// Records that the household has replied with its next key.
    package static func adoptServer(
        _ key: [UInt8],
        state: inout LinkServiceState,
        change: StoreTransaction
    ) throws {
        guard state.membership?.nextServer == key else { return }
        try state.updateMembership(change.database) { ($0.server, $0.nextServer) = (key, nil) }
    }

    /// Keeps the next key until the household replies with it, because the household does not announce a key
    /// that it has adopted.
    package static func setNextServer(
        _ key: [UInt8],
        state: inout LinkServiceState,
        change: StoreTransaction
    ) throws {
        guard state.membership?.server != key else { return }
        try state.updateMembership(change.database) { $0.nextServer = key }
    }

    package static func record(
        _ usage: RemoteUsage,
        for membership: Membership,
        state: inout LinkServiceState,
        change: StoreTransaction
    ) throws {
        // After a change of household, or a reset of the ledger, the places of this reply are not valid any more.
        guard state.membership == membership else { return }
        state.contact.elsewhere = usage.elsewhere
        try state.updateMembership(change.database) { membership in
            (membership.read, membership.places) = (usage.through, usage.places)
            membership.others = usage.addresses
        }
    }

    /// Records that the copies of deleted rows were deleted.
    package static func recordDeletions(
        _ forgets: [String: Int64],
        for membership: Membership,
        state: inout LinkServiceState,
        change: StoreTransaction
    ) throws {
        guard state.membership == membership else { return }
        try state.updateMembership(change.database) { $0.forgets = forgets }
    }

    package static func removeNews(
        through place: Int64,
        _ state: inout LinkServiceState,
        _ change: StoreTransaction
    ) throws {
        try state.removeNews(through: place, change.database)
    }

    /// Records a letter before the change that it requests. Returns false if the letter was recorded before.
    package static func begin(letter: String, _ change: StoreTransaction) throws -> Bool {
        try LinkTables.insert(letter: letter, change.database)
    }
}
