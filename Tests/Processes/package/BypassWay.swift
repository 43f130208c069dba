extension WaysRootTests {
    enum Outcome: String {
        /// No effect, or only for some seconds.
        case held
        /// The way works, and a guardian sees it in the report or in the history.
        case seen
        case outOfReach = "out of reach"
    }

    struct Way {
        let name: String
        let outcome: Outcome
        /// True if it takes minutes. Only `scripts/soak.sh` runs it.
        var isLong = false
        /// The test of `ProtectRootTests` that covers it.
        var elsewhere: String?
        var attempt: (Machine) async throws -> Void

        init(
            _ name: String,
            outcome: Outcome,
            isLong: Bool = false,
            elsewhere: String? = nil,
            attempt: @escaping (Machine) async throws -> Void = { _ in }
        ) {
            self.name = name
            self.outcome = outcome
            self.isLong = isLong
            self.elsewhere = elsewhere
            self.attempt = attempt
        }
    }
}
