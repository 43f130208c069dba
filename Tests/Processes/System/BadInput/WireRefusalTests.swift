import STContracts
import STPlatform
import STTestKit
import Testing

extension SystemSuite {
    @Suite("Invalid requests")
    struct WireRefusalTests {
        @Test("Each invalid request gets its own code and message, on a DEALER and in the envelope of a REQ")
        func refusals() async throws {
            try await TestSystem.run(services: [.auth, .activity, .shield, .report]) { system in
                _ = try await system.makeMembers()
                for refusal in WireRefusal.frames + WireRefusal.bodies {
                    let peer = try RawPeer(.dealer, try system.endpoint(refusal.service))
                    defer { peer.close() }
                    try check(refusal, try peer.exchange(refusal.frames))
                    // A DEALER can write the empty frame of a REQ itself, and must receive it back.
                    guard refusal.frames.first?.isEmpty == false else { continue }
                    #expect(peer.send([[]] + refusal.frames, withinMs: 1000))
                    let answer = try #require(peer.receive(withinMs: 10_000))
                    #expect(answer.first == [])
                    try check(refusal, try #require(RawReply(answer)))
                    // The peer is served normally afterwards.
                    #expect(try peer.ask("health.ping").header.ok)
                }
            }
        }

        private func check(_ refusal: WireRefusal, _ reply: RawReply) throws {
            let problem = try #require(reply.problem, "\(refusal.testDescription)")
            #expect(problem.code == refusal.code, "\(refusal.testDescription)")
            #expect(problem.message.hasSuffix("."), "\(refusal.testDescription): \(problem.message)")
            #expect(problem.message.split(separator: " ").count > 3, "\(problem.message)")
            let isUnreadable = ["header.invalid", "frame.missing", "header.no_id", "header.id_too_long"]
                .contains(refusal.code)
            let hasNoHeader = refusal.code.hasPrefix("frame.") && reply.header.id == nil
            #expect(
                reply.header.id == (isUnreadable || hasNoHeader ? nil : "1"),
                "\(refusal.testDescription)"
            )
        }

        @Test("An invalid request on a plain REQ socket gets a reply, and so does the next request")
        func plainREQ() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                let peer = try RawPeer(.request, try system.endpoint(.auth))
                #expect(try peer.exchange([[0xFF, 0x00]]).problem?.code == "header.invalid")
                #expect(try peer.ask("nothing").problem?.code == "route.not_found")
                #expect(try peer.ask(MemberList.name).header.ok)
            }
        }
    }
}
