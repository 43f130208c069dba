package import STContracts
package import STPlatform

/// The rounds in which this machine sends its open requests for more time and receives what is granted on other machines.
package struct RequestExchange: Sendable {
    package static let roundsMax = 5

    /// The next request to shield-service.
    package private(set) var question: RequestFollow.Request
    private let names: AccountNames
    private let share: LinkShare

    package init(_ input: ExchangeInput) {
        question = RequestFollow.Request(members: input.accounts.map(\.here))
        names = AccountNames(input.accounts)
        share = input.share
    }

    /// The request to the household after the reply of shield-service.
    package func request(after own: RequestFollow.Reply) -> HouseholdRequests.Request {
        let open = own.open.filter { share.permits($0.items) }.map { request in
            var request = request
            // A reason may name apps or sites that the machine does not share.
            if share != .all { request.because = nil }
            return request
        }
        return HouseholdRequests.Request(
            open: open.compactMap { names.sent($0, \.member) },
            takenBack: own.takenBack
        )
    }

    /// Prepares the next round. Returns false if none is needed.
    package mutating func needsRound(after reply: HouseholdRequests.Reply) -> Bool {
        let granted = reply.granted.compactMap { names.received($0, \.member) }
        // Compare only the keys, because the remaining time of each grant changes.
        if question.granted?.map(\.key) == granted.map(\.key), question.takenBack == reply.takenBack,
            question.answers == reply.answers
        {
            return false
        }
        question.granted = granted
        question.takenBack = reply.takenBack
        question.answers = reply.answers
        return true
    }

    package static let unsettled = Problem(
        "household.requests_unsettled",
        "The household and this machine do not have the same requests yet. Screen Time tries again.",
        retryable: true
    )
}

extension LinkShare {
    /// True if the household may receive a request for these things.
    fileprivate func permits(_ items: [TokenItem]) -> Bool {
        switch self {
        case .all: true
        case .apps: items.allSatisfy { $0.kind == .application || $0.kind == .category }
        case .time: items.isEmpty
        case .unknown: false
        }
    }
}
