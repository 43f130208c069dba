import STContracts
import STPlatform

/// Fills a demonstration with the days of a made-up household.
enum DemoPlayer {
    private static let needed: [ServiceName] = [.auth, .activity, .desktop]

    /// What to tell about it.
    static func play(_ places: SystemPlaces, services: [ServiceName]) async throws -> [String] {
        let missing = needed.filter { !services.contains($0) }
        guard missing.isEmpty else {
            let names = missing.map(\.rawValue).joined(separator: ", ")
            return ["No days are played, for that needs \(names) as well."]
        }
        return try await ServiceClients.with(places.directories, play)
    }

    private static func play(_ clients: ServiceClients) async throws -> [String] {
        var lines: [String] = []
        for day in DemoDay.all {
            let reply = try await clients.call(MemberAdd.self, day.member)
            // Playing the same hours twice would count them twice.
            guard reply.added else {
                lines.append("\(day.member.name) is here from an earlier start; --fresh begins anew")
                continue
            }
            _ = try await clients.call(
                DesktopPlay.self,
                DesktopPlay.Request(member: day.member.name, agoMs: day.agoMs, steps: day.steps)
            )
            let past = TextFormat.duration(ms: day.agoMs)
            let ahead = TextFormat.duration(ms: day.lengthMs - day.agoMs)
            lines.append("a made-up day of “\(day.member.name)”: \(past) until now, \(ahead) still to come")
        }
        return lines
    }
}
