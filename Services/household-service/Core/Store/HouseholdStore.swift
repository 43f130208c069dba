import STContracts
import STDomain
import STEngine
package import STPlatform
import STPostgres
package import STStore

/// The storage of a household: the file of this service, or a PostgreSQL database that several services share.
///
/// Requests change the state in memory and note the changes to write. A store writes all or none of them when the transaction
/// ends.
protocol HouseholdStore {
    func save(_ state: inout HouseholdState) throws
    /// Returns the usage of a member after a place, without the rows that the machine has itself, and the place of the member's
    /// last row.
    func rows(of member: String, after place: Int64, for device: HouseholdState.Device, limit: Int) throws
        -> UsageRowPage
    /// Returns those of a machine's rows that do not exist.
    func missing(_ segments: [String], of device: String) throws -> [String]
    func sums(_ ask: UsageSumQuery) throws -> [UsageSumRow]
    /// Deletes a part of the usage before a day, and then its sums. Returns the number of deleted intervals of each machine.
    func deleteUsage(before day: Int64) throws -> [String: Int]
    /// Returns the secret key of the household. It becomes `secret` if there was none.
    func adoptSecret(on secret: [UInt8]) throws -> [UInt8]
}

/// A change of the state that has to be written.
enum HouseholdChange: Sendable, Equatable {
    /// A machine, in its final state.
    case device(String)
    case invitation(HouseholdState.Invitation)
    case invitationRemoved(String)
    case pendingMachine(HouseholdState.PendingMachine)
    case pendingMachineRemoved(invitation: String)
    case message(HouseholdState.RelayMessage)
    case messageRemoved(String)
    case rule(HouseholdRule)
    /// Rows of usage. If `isAnew` is true, some of them may already exist.
    case usage([UsageRow], device: String, epoch: String, isAnew: Bool)
    /// The machine has sent its whole ledger. Earlier rows that it no longer has are deleted.
    case fullLedger(device: String, epoch: String)
    /// The machine has returned without its data. Its rows stay as rows of its past.
    case returned(String)
    case openUsage(String)
    /// The household's key and next key, and the keys before the change.
    case keys(HouseholdState.ServiceIdentity, before: HouseholdState.ServiceIdentity)
    /// The new address of this service, and the previous one.
    case address(String, before: String?)

    /// The epoch of rows that a machine sent before it returned without its data.
    static let past = ""

    var isFullLedger: Bool { if case .fullLedger = self { true } else { false } }
}

/// An interval of a machine's usage, in the form in which it is stored.
struct UsageRow: Sendable, Equatable {
    var segment: Segment
    var body: [UInt8]
    /// The local time of its beginning, since 1970.
    var localStart: Duration

    /// `localStart` is given for a stored row, because the rules of its time zone may have changed since.
    init(_ segment: Segment, localStart: Duration? = nil) throws {
        self.segment = segment
        body = try segment.encodedBody()
        func rules() -> ZoneRules { ZoneRules.load(segment.zone) ?? .utc }
        self.localStart = localStart ?? .milliseconds(rules().localMs(atMs: segment.startWallMs))
    }

    /// True if sums contain it: a person was active, and there was no shield.
    var countsAsUsage: Bool {
        segment.presence == .active && segment.shielded != true && localStart >= .zero
    }

    static let hour = Duration.seconds(3_600)
    static let day = hour * 24

    /// The hours since 1970 in local time, with the usage in each.
    var hours: [(hour: Int64, ms: Int64)] {
        guard countsAsUsage, segment.durationMs > 0 else { return [] }
        let (start, length) = (localStart.ms, Self.hour.ms)
        let end = start + segment.durationMs
        return (start / length...(end - 1) / length).map { hour in
            (hour, min(end, (hour + 1) * length) - max(start, hour * length))
        }
    }
}

struct UsageRowPage {
    var rows: [(place: Int64, body: [UInt8])] = []
    var head: Int64
}

/// A request for sums.
struct UsageSumQuery: Sendable {
    /// Days since 1970, in the machines' local time.
    var days: Range<Int64>
    /// `nil` means all members.
    var members: [String]?
    /// The groups. A member may be in several.
    var groups: [(name: String, members: Set<String>)] = []
    var by: Set<HouseholdSumKey>

    static let rowsMax = 2_000
}

struct UsageSumRow: Sendable, Equatable {
    var keys: [HouseholdSumKey: String]
    var ms: Int64
}

/// The people, guardians and requests of a machine, in the form of a row.
struct AccountList: WireBody, Codable {
    var accounts: [HouseholdAccount]
    var guardians: [String]?
    /// For a device, true if it is trusted. For a guest, true if it reports that it is a protected computer.
    var isTrusted: Bool?
    var children: [String]?
    var requests: DeviceRequests?
    var phone: HouseholdState.Phone?
    var token: String?
    var witness: RecordAuditor?
    var renewedMs: Int64?
    var identity: String?
    var backMs: Int64?
    var nextKey: String?
    var rowsMax: Int64?
    var rowsMaxMs: Int64?
    var leftMs: Int64?

    init(_ device: HouseholdState.Device) {
        (accounts, guardians, children) = (device.accounts, device.guardians, device.children)
        isTrusted = device.isTrusted ? true : nil
        (requests, witness) = (device.requests, device.auditor)
        (phone, token, renewedMs) = (device.phone, device.token, device.renewedAt?.ms)
        (identity, backMs, nextKey) = (device.identity, device.returnedAt?.ms, device.nextKey)
        (rowsMax, leftMs) = (device.rowsMax, device.leftAt?.ms)
        rowsMaxMs = device.rowsMax == nil ? nil : device.rowsMaxRaisedAt.ms
    }

    func device(id: String, name: String, key: [UInt8], joinedAt: WallTime) -> HouseholdState.Device {
        var device = HouseholdState.Device(
            id: id,
            name: name,
            key: key,
            accounts: accounts,
            guardians: guardians ?? [],
            children: children ?? [],
            joinedAt: joinedAt
        )
        device.isTrusted = isTrusted == true
        device.requests = requests ?? DeviceRequests()
        device.auditor = witness ?? RecordAuditor()
        (device.phone, device.token, device.renewedAt) = (phone, token, renewedMs.map(WallTime.init))
        (device.identity, device.returnedAt, device.nextKey) = (identity, backMs.map(WallTime.init), nextKey)
        (device.rowsMax, device.rowsMaxRaisedAt) = (rowsMax, WallTime(ms: rowsMaxMs ?? 0))
        device.leftAt = leftMs.map(WallTime.init)
        return device
    }

    func guest(invitation: String, name: String, key: [UInt8], number: String)
        -> HouseholdState.PendingMachine
    {
        HouseholdState.PendingMachine(
            invitation: invitation,
            name: name,
            key: key,
            accounts: accounts,
            guardians: guardians ?? [],
            isProtected: isTrusted == true,
            number: number
        )
    }

    init(_ guest: HouseholdState.PendingMachine) {
        accounts = guest.accounts
        guardians = guest.guardians
        isTrusted = guest.isProtected ? true : nil
    }
}

/// The present usage on a machine, in the form of a row.
struct OpenList: WireBody, Codable {
    var open: [OpenUsageInterval]
}

/// Finds the store of a service.
package struct HouseholdStores: Sendable {
    /// Upper bound on the rows deleted in one step, so that requests can run between steps.
    static let forgottenMax = 20_000

    private let shared: SharedStore?
    /// Number of days for which usage is kept. 0 means for ever.
    let keepDays: Int64

    package init(_ address: String, keepDays: Int64 = 0) {
        shared = address.isEmpty ? nil : SharedStore(address)
        self.keepDays = keepDays
    }

    /// Returns the first day that is kept, in days since 1970 in local time. Returns `nil` if all days are kept.
    func firstDay(_ now: WallTime) -> Int64? { keepDays == 0 ? nil : now.ms / UsageRow.day.ms - keepDays }

    func of(_ database: Database) -> any HouseholdStore { shared ?? FileStore(database) }

    func load(_ database: Database) throws -> HouseholdState {
        var state = try HouseholdTables.load(database)
        guard let shared else {
            try FileStore(database).load(&state)
            return state
        }
        // If the server cannot be reached, the first request tries again.
        do { try shared.refresh(&state, now: BootTime(ms: Stopwatch.bootMilliseconds())) } catch
            where Problem(error).retryable
        {}
        return state
    }

    package var address: String? { shared?.address }

    package func isRead(_ state: HouseholdState) -> Bool { shared == nil || state.readPosition != nil }

    /// Throws if the store has not been read yet, because no machine is known without it.
    func requireSeen(_ state: HouseholdState) throws(Problem) {
        guard !isRead(state) else { return }
        throw Problem(
            PostgresConnection.unreachable,
            "The household is stored in PostgreSQL, which has not answered yet. Try again in a moment.",
            key: "store.away.the-household-is",
            retryable: true
        )
    }

    /// Loads the changes of other services into memory.
    func refresh(_ state: inout HouseholdState, _ change: StoreTransaction) throws {
        try shared?.refresh(&state, now: change.now.boot)
    }

    /// Prepares a change by a request. After a failure, memory and database may differ.
    func prepareChange(_ state: inout HouseholdState, _ change: StoreTransaction) throws {
        guard let shared, shared.epoch != state.readPosition?.epoch else { return }
        try shared.refresh(&state, now: change.now.boot)
    }

    /// Moves a household from its file to the shared store, one page with each call.
    package func move(_ database: Database) throws -> StartProgress? { try shared?.move(FileStore(database)) }
}
