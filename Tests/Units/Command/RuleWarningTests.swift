import STCommandCore
import STContracts
import STPlatform
import Testing

@Suite("Warnings of limits", .timeLimit(.minutes(10)))
struct RuleWarningTests {
    @Test("A new limit of at least ten minutes has a five-minute warning, unless --warn or --say is given")
    func warns() async throws {
        let lines: [([String], Int64?)] = [
            (["limit", "add", "code", "30m"], 300_000), (["limit", "add", "code", "10m"], 300_000),
            (["limit", "add", "code", "9m"], nil), (["limit", "add", "code", "30m", "--warn", "1m"], 60_000),
            (["limit", "add", "code", "30m", "--warn", "0"], 0),
            (["limit", "add", "code", "30m", "--say", "Enough"], nil),
            (["goal", "add", "code", "2h", "--opens", "category:games"], nil),
        ]
        for (line, warnMs) in lines {
            let house = RuleHouse()
            let (code, _) = try await house.run(line)
            #expect(code == .done)
            let spec = try #require(try house.last(RuleAdd.self)?.rule)
            #expect(spec.warnMs == warnMs, "\(line)")
        }
    }
}
