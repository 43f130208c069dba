import STContracts
package import STPlatform

/// How the last attempt went.
package struct DeliveryResult: WireBody, Codable, Equatable {
    package var problem: Problem?
    package var tookMs: Int64?
    package var privateKib: Int64?
    package var lastOutput: [String]

    private static let linesMax = 30
    private static let lineCharactersMax = 400

    package init(
        problem: Problem? = nil,
        tookMs: Int64? = nil,
        privateKib: Int64? = nil,
        lastOutput: [String] = []
    ) {
        self.problem = problem
        self.tookMs = tookMs
        self.privateKib = privateKib
        self.lastOutput = lastOutput.suffix(Self.linesMax).map { line in
            line.count > Self.lineCharactersMax ? line.prefix(Self.lineCharactersMax) + "…" : line
        }
    }
}
