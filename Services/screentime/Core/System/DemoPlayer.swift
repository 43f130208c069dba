import STContracts
import STPlatform
import STZeroMQ

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
        let loop = try BusLoop()
        let directories = places.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        do {
            let lines = try await play(client)
            await close(client, loop)
            return lines
        } catch {
            await close(client, loop)
            throw error
        }
    }

    private static func play(_ client: BusClient) async throws -> [String] {
        var lines: [String] = []
        for day in DemoDay.all {
            let reply = try await client.call(MemberAdd.self, day.member)
            // Playing the same hours twice would count them twice.
            guard reply.added else {
                lines.append("\(day.member.name) is here from an earlier start; --fresh begins anew")
                continue
            }
            _ = try await client.call(
                DesktopPlay.self,
                DesktopPlay.Request(member: day.member.name, agoMs: day.agoMs, steps: day.steps)
            )
            let past = TextFormat.duration(ms: day.agoMs)
            let ahead = TextFormat.duration(ms: day.lengthMs - day.agoMs)
            lines.append("a made-up day of “\(day.member.name)”: \(past) until now, \(ahead) still to come")
        }
        return lines
    }

    private static func close(_ client: BusClient, _ loop: BusLoop) async {
        await client.close()
        loop.stop()
    }
}
