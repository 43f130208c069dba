import STContracts
import STPlatform

/// Shields between people and what they turn to.
extension SimulationEyes {
    /// What is in front of people, and will be until then, of which it is not known whether it is shielded.
    func unknown(untilMs: Int64) -> [ShieldTable.Sight] {
        let all = seen.sorted { $0.key < $1.key }.map(\.value.sight) + coming(untilMs: untilMs)
        var found: [ShieldTable.Sight] = []
        for sight in all.compactMap({ ShieldTable.Sight($0) })
        where !shields.knows(sight) && !found.contains(sight) {
            found.append(sight)
        }
        return found
    }

    /// The first moment until then at which somebody turns to what is shielded: the shield must be put up then.
    func nextShieldMs(untilMs: Int64) -> Int64? {
        guard opensAtMs == nil else { return nil }
        return coming(untilMs: untilMs).first { shields.isShielded($0) }?.atMs
    }

    /// What is shielded from now on and was not before, or the other way round.
    mutating func tellShields(_ time: DeviceTime) -> [Observation] {
        guard opensAtMs == nil else { return [] }
        return seen.keys.sorted().compactMap { member in
            guard let last = seen[member], last.isShielded != shields.isShielded(last.sight) else {
                return nil
            }
            return tellAgain(member, last.sight, time)
        }
    }

    /// Somebody's app has been closed: they look at the desktop.
    mutating func close(of member: String, _ time: DeviceTime) -> [Observation] {
        guard opensAtMs == nil, var sight = seen[member]?.sight else { return [] }
        sight.app = nil
        sight.site = nil
        return [tellAgain(member, sight, time)]
    }

    /// What is in front of everybody now.
    var front: [ShieldTable.Sight] {
        seen.sorted { $0.key < $1.key }.compactMap { ShieldTable.Sight($0.value.sight) }
    }

    /// Nobody is at it, and it stands there: the shield with it.
    func isWaiting(_ member: String) -> Bool {
        guard let presence = seen[member]?.sight.presence else { return false }
        return presence == .idle || presence == .locked
    }

    /// What each looks at through a shield, if the desktop can see and draw.
    var shielded: [String: ShieldTable.Sight] {
        guard opensAtMs == nil else { return [:] }
        return seen.compactMapValues { $0.isShielded ? ShieldTable.Sight($0.sight) : nil }
    }
}
