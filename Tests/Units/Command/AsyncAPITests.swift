import Glibc
import STCommandCore
import STContracts
import STPlatform
import Testing

@Suite("The bus document")
struct AsyncAPITests {
    private static var root: String {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    }

    private static var path: String { root + "/Shared/Contracts/asyncapi.json" }

    @Test("the copy in the tree is what the contracts say today")
    func current() throws {
        let copy = String(
            decoding: try AtomicFile.read(Self.path, limitBytes: 4 * 1024 * 1024),
            as: UTF8.self
        )

        // Compared first, because the whole document in a failure helps nobody.
        let isCurrent = copy == JSONOutput.pretty(AsyncAPIDocument.value) + "\n"
        #expect(
            isCurrent,
            "run: screentime bus describe --asyncapi > Shared/Contracts/asyncapi.json"
        )
    }

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
        while let value = open.popLast() {
            if let reference = value["$ref"]?.string {
                var target: JSONValue? = document
                for part in reference.split(separator: "/").dropFirst() { target = target?[String(part)] }
                #expect(target != nil, "\(reference)")
            }
            switch value {
            case .object(let members): open += members.values
            case .array(let items): open += items
            default: break
            }
        }
    }

    @Test("an outside model of AsyncAPI 3.0 takes it", .enabled(if: isValidatorInstalled))
    func outside() {
        let status = system("python3 '\(Self.root)/scripts/clients/validate_asyncapi.py' '\(Self.path)' >&2")
        #expect(status == 0)
    }

    private static var isValidatorInstalled: Bool {
        system("python3 -c 'import faststream.specification.asyncapi.v3_0_0.schema' 2>/dev/null") == 0
    }
}
