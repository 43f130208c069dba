import STContracts
import STDomain
import STEngine
import STPlatform
import STTestKit
import Synchronization

/// Somebody who follows the stream of policy as a service does, gaps and all, and holds what it hears.
final class PolicySubscriber: Sendable {
    private let held: HeldPolicy
    private let service: StandInService<Int>

    init(_ directories: Directories) async throws {
        let held = HeldPolicy()
        let definition = ServiceDefinition<Int>(
            name: ServiceName("policy-subscriber"),
            load: { _ in 0 },
            subscriptions: [
                Subscription(
                    source: .shield,
                    stream: .policy,
                    reset: { _, _ in held.change { $0.reset() } },
                    apply: { count, event, _ in
                        count += 1
                        try held.change { try $0.apply(event) }
                    }
                )
            ]
        )
        self.held = held
        service = try await StandInService(definition, directories)
    }

    var book: PolicyBook { held.book }

    func stop() async throws { try await service.stop() }

    private final class HeldPolicy: Sendable {
        private let value = Mutex(PolicyBook())

        var book: PolicyBook { value.withLock { $0 } }

        func change(_ body: (inout PolicyBook) throws -> Void) rethrows {
            try value.withLock { try body(&$0) }
        }
    }
}
