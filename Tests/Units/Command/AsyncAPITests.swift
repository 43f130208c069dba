import Glibc
import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("The bus document")
struct AsyncAPITests {
    @Test("The bus document has an operation for every route and a message for every event")
    func complete() {
        let document = AsyncAPIDocument.value
        for entry in Catalogue.entries {
            for route in Catalogue.common + entry.routes {
                #expect(document["operations"]?["\(entry.service).\(route.name)"] != nil)
                #expect(document["components"]?["messages"]?["\(route.name).request"] != nil)
            }
            for event in entry.events { #expect(document["components"]?["messages"]?[event.type] != nil) }
        }
    }

    @Test("Every reference in the bus document has a target")
    func references() {
        let document = AsyncAPIDocument.value
        var open = [document]
        var references = 0
        while let value = open.popLast() {
            if let reference = value["$ref"]?.string {
                var target: JSONValue? = document
                for part in reference.split(separator: "/").dropFirst() { target = target?[String(part)] }
                #expect(target != nil, "\(reference)")
                references += 1
            }
            switch value {
            case .object(let members): open += members.values
            case .array(let items): open += items
            default: break
            }
        }
        #expect(references > 0)
    }

    @Test("The AsyncAPI 3.0 models of FastStream accept the bus document", .enabled(if: isValidatorInstalled))
    func outside() throws {
        let scratch = try ScratchDirectory()
        try scratch.write(JSONOutput.pretty(AsyncAPIDocument.value), to: "asyncapi.json")
        let check = BuiltTree.source("scripts/clients/validate_asyncapi.py")

        #expect(system("python3 '\(check)' '\(scratch.file("asyncapi.json"))' >&2") == 0)
    }

    private static var isValidatorInstalled: Bool {
        system("python3 -c 'import faststream.specification.asyncapi.v3_0_0.schema' 2>/dev/null") == 0
    }
}
