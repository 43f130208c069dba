package import STContracts
import STPlatform

/// The requests for more time that a machine reported.
package struct DeviceRequests: Codable, Sendable, Equatable {
    package struct Open: Codable, Sendable, Equatable {
        package var request: HouseholdRequest
        /// The end, by the household's clock.
        package var untilMs: Int64
    }

    package var open: [Open] = []
    /// The keys of grants from other machines that were revoked on this one.
    var takenBack: [String] = []
    /// For a phone, the answers of its guardian, by the keys of requests.
    var answers: [String: HouseholdAnswer]?
    /// Number of changes.
    var changes: Int64 = 0
}

/// Sends each machine the grants that its people have on other machines.
enum HouseholdRequestMerger {
    private static let itemsMax = 50
    private static let longest = UsageRow.day * 7

    static func admitted(
        _ request: HouseholdRequests.Request,
        of device: HouseholdState.Device,
        at now: WallTime
    ) throws -> (open: [DeviceRequests.Open], why: Problem?) {
        guard max(request.open.count, request.takenBack.count) <= HouseholdRequest.max else {
            throw Problem(
                "household.too_many_requests",
                "A machine can have at most \(HouseholdRequest.max, "most") open requests.",
                field: "/open"
            )
        }
        let people = Set(device.accounts.map(\.member))
        let known = Dictionary(device.requests.open.map { ($0.request.key, $0) }) { first, _ in first }
        var why: Problem?
        let open = request.open.compactMap { sent -> DeviceRequests.Open? in
            guard people.contains(sent.member), [.waiting, .granted].contains(sent.state),
                (1...longest.ms).contains(sent.leftMs), (1...longest.ms).contains(sent.durationMs),
                sent.items.count <= itemsMax, sent.askedMs.magnitude < 1 << 53,
                ([sent.request, sent.by ?? ""] + sent.items.map(\.id)).allSatisfy(UsageUpload.isShort),
                Phones.isReason(sent.because ?? "")
            else {
                why = Problem(
                    "household.bad_request",
                    """
                    The request \(TextFormat.truncated(sent.request, bytes: 80), "request") from this machine \
                    is not valid. The household ignores it.
                    """
                )
                return nil
            }
            var request = sent
            request.key = "\(device.id)/\(sent.request)/\(sent.askedMs)"
            request.device = device.name
            request.leftMs = 0
            var until = now + .milliseconds(sent.leftMs)
            // A machine reports a grant again with every change. Its clock cannot extend the grant.
            if let before = known[request.key], before.request == request {
                until = min(until, WallTime(ms: before.untilMs))
            }
            return .init(request: request, untilMs: until.ms)
        }
        return (open, why)
    }

    static func reply(
        to device: HouseholdState.Device,
        _ why: Problem?,
        _ state: HouseholdState,
        at now: WallTime
    ) -> HouseholdRequests.Reply {
        let people = Set(device.accounts.map(\.member))
        var reply = HouseholdRequests.Reply(granted: [], takenBack: [], why: why)
        let gone = Set(state.activeDevices.flatMap(\.requests.takenBack))
        for other in state.others(of: device) {
            for open in other.requests.open
            where open.request.state == .granted && people.contains(open.request.member)
                && !gone.contains(open.request.key ?? "")
                && state.mayLoosen(open.request.member, on: other)
            {
                var request = open.request
                request.leftMs = min(open.untilMs - now.ms, request.durationMs)
                if request.leftMs > 0 { reply.granted.append(request) }
            }
            let own = "\(device.id)/"
            reply.takenBack += other.requests.takenBack.filter { $0.hasPrefix(own) }.map {
                String($0.dropFirst(own.count))
            }
            let answers = (other.requests.answers ?? [:]).filter { $0.key.hasPrefix(own) }
            if !answers.isEmpty {
                reply.answers = (reply.answers ?? []) + answers.sorted { $0.key < $1.key }.map(\.value)
            }
        }
        reply.granted = Array(reply.granted.prefix(HouseholdRequest.max))
        reply.takenBack = Array(reply.takenBack.prefix(HouseholdRequest.max))
        return reply
    }
}
