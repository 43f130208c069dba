import STContracts
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import Synchronization
import Testing

@Suite("Companion of a service")
struct CompanionTests {
    private enum Ask: Route {
        typealias Request = Empty

        struct Reply: WireBody, Codable {
            var word: String
        }

        static let name = "test.ask"
        static let kind = RouteKind.write
        static let summary = "Asks the companion."
    }

    private enum Say: Route {
        typealias Request = Empty

        struct Reply: WireBody, Codable {
            var word: String?
        }

        static let name = "test.say"
        static let kind = RouteKind.write
        static let summary = "Says what the companion has said."
    }

    private final class Asked: Sendable {
        private let count = Atomic<Int>(0)

        func note() { count.add(1, ordering: .acquiringAndReleasing) }

        var isAsked: Bool { count.load(ordering: .acquiring) > 0 }
    }

    private func definition(_ asked: Asked) -> ServiceDefinition<Int> {
        ServiceDefinition(
            name: ServiceName("test-companion"),
            load: { _ in 0 },
            routes: [
                .write(Say.self, reading: { $0 }, after: Ask.self, of: .worker) { _ in
                    asked.note()
                    return Empty()
                } _: { _, _, answer, _, _ in
                    Say.Reply(word: answer?.word)
                }
            ]
        )
    }

    @Test("A request waits for a companion that starts later")
    func early() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let asked = Asked()
        let service = try await StandInService(definition(asked), scratch.directories)
        let said = Task { try await service.ask(Say.self, Empty()).word }
        try await eventually("the request has arrived") { if !asked.isAsked { throw NotYet("it is not") } }
        await service.answer(Ask.self) { _ in Ask.Reply(word: "here") }
        #expect(try await said.value == "here")
        #expect(try await service.ask(Say.self, Empty()).word == "here")
        try await service.stop()
    }
}
