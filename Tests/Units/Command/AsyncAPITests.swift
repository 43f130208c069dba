import Glibc
import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("The bus document")
struct AsyncAPITests {
    @Test("every route of every service is an operation, every event a message")
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

    @Test("every reference leads somewhere")
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

    @Test("an outside model of AsyncAPI 3.0 takes it", .enabled(if: isValidatorInstalled))
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
