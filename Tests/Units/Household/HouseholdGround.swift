import STTestKit
import Testing

/// One PostgreSQL server for all tests of a suite.
struct PostgresTrait: SuiteTrait, TestScoping {
    let isRecursive = false

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TestPostgres.run { server in
            try await TestPostgres.$current.withValue(server) { try await function() }
        }
    }
}

extension Trait where Self == PostgresTrait {
    static var postgres: PostgresTrait { PostgresTrait() }
}

/// The storage of a household.
enum HouseholdGround: CaseIterable {
    case file, shared

    func address() throws -> String {
        self == .file ? "" : try #require(TestPostgres.current, "the suite has .postgres").database()
    }
}
