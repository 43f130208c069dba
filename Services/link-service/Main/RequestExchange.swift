import STBus
import STContracts
import STPlatform
import STServiceKit
import STZeroMQ

/// Tells the household which requests for more time are open here, and takes what is granted on other machines.
struct RequestExchange {
    struct Seen: Equatable {
        /// The household, its numbers, and this machine's stay in it.
        var household: String
        var changes: Int
        var news: Int64
        var accounts: [HouseholdAccount]
        var share: LinkShare
    }

    private static let roundsMax = 5

    private let bus: BusClient
    private let surroundings: Surroundings

    init(_ bus: BusClient, _ surroundings: Surroundings) {
        self.bus = bus
        self.surroundings = surroundings
    }

    func run(_ seen: Seen, _ client: HouseholdClient) async throws {
        let names = AccountNames(seen.accounts)
        var asked = RequestFollow.Request(members: seen.accounts.map(\.here))
        for _ in 0..<Self.roundsMax {
            try Task.checkCancellation()
            let own = try await bus.call(RequestFollow.self, asked)
            let open = own.open.filter { seen.share.permits($0.items) }.map { request in
                var told = request
                // A reason may name what the machine is not to tell.
                if seen.share != .all { told.because = nil }
                return told
            }
            let request = HouseholdRequests.Request(
                open: open.compactMap { names.sent($0, \.member) },
                takenBack: own.takenBack
            )
            let reply = try await client.call(HouseholdRequests.self, request)
            if let why = reply.why { surroundings.log.problem("request_left_out", why) }
            let granted = reply.granted.compactMap { names.heard($0, \.member) }
            // What lasts a little shorter by now is the same.
            let isSame = asked.granted?.map(\.key) == granted.map(\.key) && asked.takenBack == reply.takenBack
            if isSame, asked.answers == reply.answers { return }
            asked.granted = granted
            asked.takenBack = reply.takenBack
            asked.answers = reply.answers
        }
        throw Problem(
            "household.requests_unsettled",
            "The household and this machine have not come to the same requests. It is tried again.",
            retryable: true
        )
    }
}

extension LinkShare {
    /// Whether the household may hear of a request for these things.
    fileprivate func permits(_ items: [TokenItem]) -> Bool {
        switch self {
        case .all: true
        case .apps: items.allSatisfy { $0.kind == .application || $0.kind == .category }
        case .time: items.isEmpty
        case .unknown: false
        }
    }
}
