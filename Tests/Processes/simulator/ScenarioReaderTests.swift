import STContracts
import STPlatform
import STSimulation
import Testing

@Suite("A scenario that is not right")
struct ScenarioReaderTests {
    private func problem(_ text: String) throws -> Problem? {
        do {
            _ = try ScenarioFiles.read(text: text)
            return nil
        } catch let problem as Problem {
            return problem
        }
    }

    @Test(
        "is refused with a code, the place, the line and what to do",
        arguments: BadScenarios.formal + BadScenarios.meant
    )
    func refusals(_ bad: BadScenarios.Case) throws {
        let problem = try #require(try problem(bad.text))

        #expect(problem.code == bad.code)
        #expect(problem.field == bad.field)
        #expect(problem.details["line"] == "1")
        #expect(problem.message.hasPrefix("Line 1: "))
        #expect(problem.message.hasSuffix(".") || problem.message.hasSuffix("?"), "\(problem.message)")
    }

    @Test(
        "because of when things happen is refused before anything is started",
        arguments: BadScenarios.timed
    )
    func timed(_ bad: BadScenarios.Case) async throws {
        let scenario = try ScenarioFiles.read(text: bad.text)
        let problem = await refused { _ = try await Simulation.inProcess(scenario) }

        #expect(problem?.code == bad.code)
        #expect(problem?.field == bad.field)
    }

    @Test("names the line in a file of many lines, and what was probably meant")
    func lines() throws {
        let text = ScenarioExample.text.replacing("\"site\"", with: "\"sit\"")
        let problem = try #require(try problem(text))

        #expect(problem.details["line"] == "11")
        #expect(problem.message.contains("Did you mean site?"))
    }

    @Test("because it is no JSON names the line from which on")
    func noJSON() throws {
        let problem = try #require(try problem("{\n  \"name\": \"n\",\n  \"zone\": UTC\n}"))

        #expect(problem.code == "scenario.not_json")
        #expect(problem.message.hasPrefix("Line 3: "))
        #expect(try self.problem("[1]")?.code == "scenario.wrong_type")
        #expect(try self.problem("")?.code == "scenario.not_json")
        #expect(try self.problem(String(repeating: "[", count: 100))?.code == "scenario.not_json")
    }
}
