package import STContracts
package import STPlatform

/// The time of a machine's last request. Only the companion stores it, because such requests write nothing.
package struct DevicePresence: WireBody, Codable, Equatable {
    package var device: String
    package var wallMs: Int64
    package var isWaiting: Bool
}

/// Requests the connected machines from the companion. No role may call this route over the bus.
package enum PresenceQuery: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var devices: [DevicePresence]
    }

    package static let name = "household.present.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "Which machines are connected."
}

/// Replies when the companion has news for a machine, or at a timeout. No role may call this route over the
/// bus.
package enum NewsQuery: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var device: String
        package var members: [String]
        package var pull: HouseholdPull.Request

        init(_ device: HouseholdState.Device, _ asked: HouseholdPull.Request) {
            self.device = device.id
            members = device.accounts.map(\.member)
            pull = asked
            pull.waitMs = min(asked.waitMs, HouseholdPull.waitMsMax)
            pull.holding = asked.holding.map { Array($0.prefix(HouseholdPost.takenMax)) }
        }
    }

    package typealias Reply = Empty

    package static let name = "household.news.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "Waits for something new."
}

/// The machines that wait for news, each with its latest request.
package struct NewsWaiters: Sendable {
    private var queries: [Int: NewsQuery.Request] = [:]
    /// The requests that concern a member or a machine.
    private var queriesByName: [String: Set<Int>] = [:]
    private var queryByDevice: [String: Int] = [:]
    private var last = 0
    /// Wall time of each machine's latest request.
    private var seen: [String: WallTime] = [:]
    /// The number of changes that were examined.
    private var changeCount = 0

    package init() {}

    /// Adds a request and returns its number. A machine waits for one reply at a time, so the caller must end
    /// the machine's `earlier` request.
    package mutating func add(_ ask: NewsQuery.Request, at now: WallTime) -> (number: Int, earlier: Int?) {
        seen[ask.device] = now
        last += 1
        let earlier = queryByDevice.updateValue(last, forKey: ask.device)
        queries[last] = ask
        for name in ask.members + [ask.device] { queriesByName[name, default: []].insert(last) }
        return (last, earlier)
    }

    package mutating func remove(_ number: Int) {
        guard let ask = queries.removeValue(forKey: number) else { return }
        if queryByDevice[ask.device] == number { queryByDevice[ask.device] = nil }
        for name in ask.members + [ask.device] {
            queriesByName[name]?.remove(number)
            if queriesByName[name]?.isEmpty == true { queriesByName[name] = nil }
        }
    }

    /// The requests for which a state has news. This method examines only the members and machines that have
    /// changed since the last call.
    package mutating func answered(by state: HouseholdState) -> [Int] {
        let (members, all) = state.changed(since: changeCount)
        changeCount = all
        let asked = members.map { $0.reduce(into: Set<Int>()) { $0.formUnion(queriesByName[$1] ?? []) } }
        return (asked ?? Set(queries.keys)).filter { queries[$0].map(state.hasNews) == true }.sorted()
    }

    package var present: PresenceQuery.Reply {
        PresenceQuery.Reply(
            devices: seen.sorted { $0.key < $1.key }.map {
                DevicePresence(device: $0.key, wallMs: $0.value.ms, isWaiting: queryByDevice[$0.key] != nil)
            }
        )
    }
}
