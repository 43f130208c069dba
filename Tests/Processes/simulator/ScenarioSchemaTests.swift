import STContracts
import STSimulation
import Testing

@Suite("The schema of a scenario")
struct ScenarioSchemaTests {
    private let checker = SchemaChecker(ScenarioSchema.value)

    private func value(_ text: String) throws -> JSONValue { try JSONPlaces.value(Array(text.utf8)) }

    @Test("is the one in the source tree")
    func file() throws {
        #expect(try value(try ScenarioFiles.text("scenario.schema.json")) == ScenarioSchema.value)
    }

    @Test("fits every scenario there is", arguments: ScenarioFiles.names)
    func files(_ name: String) throws {
        #expect(checker.complaints(try value(try ScenarioFiles.text(name))) == [])
    }

    @Test("fits the example")
    func example() throws {
        #expect(checker.complaints(try value(ScenarioExample.text)) == [])
    }

    @Test("refuses what the reader refuses, where words are concerned", arguments: BadScenarios.formal)
    func refusals(_ bad: BadScenarios.Case) throws {
        #expect(!checker.complaints(try value(bad.text)).isEmpty, "\(bad.text)")
    }
}
