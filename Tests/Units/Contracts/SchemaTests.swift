import STContracts
import STPlatform
import Testing

@Suite("Schemas of the bus document")
struct SchemaTests {
    @Test(
        "A schema describes an object whose required fields are among its properties",
        arguments: Golden.all.filter { $0.schema != [:] }
    )
    func objects(golden: Golden) throws {
        #expect(golden.schema["type"] == "object")
        guard case .object(let properties) = golden.schema["properties"] ?? [:] else {
            Issue.record("no properties")
            return
        }
        guard case .array(let required) = golden.schema["required"] ?? [] else {
            Issue.record("required is no list")
            return
        }
        let names = required.compactMap(\.string)
        #expect(Set(names).isSubset(of: properties.keys))
        #expect(names.count == required.count)
    }

    @Test("A schema lists the required fields without the optional ones")
    func required() {
        #expect(EventsSince.Request.schema["required"] == ["stream"])
        #expect(ReportDay.Request.schema["required"] == nil)
        #expect(
            ReportDay.Reply.schema["required"] == [
                "absent_ms", "day", "rows", "unobserved_ms", "used_ms", "zone",
            ]
        )
        #expect(Member.schema["required"] == ["name", "role"])
        #expect(UsageObserve.Request.schema["required"] == ["agent", "observations", "run"])
        #expect(Empty.schema == ["type": "object", "properties": [:]])
    }

    @Test("A schema describes lists, maps and enums")
    func nesting() {
        let rows = ReportDay.Reply.schema["properties"]?["rows"]
        #expect(rows?["items"]?["properties"]?["used_ms"] == ["type": "integer"])
        #expect(
            HealthReport.Reply.schema["properties"]?["counters"]?["additionalProperties"] == [
                "type": "integer"
            ]
        )
        #expect(Member.schema["properties"]?["role"]?["examples"] == ["individual", "guardian", "child"])
        #expect(SettingsGet.Reply.schema["properties"]?["settings"]?["additionalProperties"] == [:])
    }

    @Test("Each route, event and stream has a unique name")
    func unique() {
        let routes = (Catalogue.common + Catalogue.entries.flatMap(\.routes)).map(\.name)
        let events = Catalogue.entries.flatMap(\.events)
        let streams = Catalogue.entries.flatMap(\.streams)

        #expect(Set(routes).count == routes.count)
        #expect(Set(events.map(\.type)).count == events.count)
        #expect(Set(streams).count == streams.count)
        for event in events {
            #expect(Topic.isValid(event.type))
            #expect(event.type.hasPrefix(Topic.subscription(event.stream)))
            #expect(streams.contains(event.stream))
        }
    }

    @Test("A moment between the years 1 and 9999 survives formatting and parsing")
    func moments() {
        var random = RandomSource(seed: 7)
        for _ in 0..<20_000 {
            // Years 1 to 9999, which four digits can express.
            let wallMs = -62_135_596_800_000 + Int64(random.next() % 315_537_897_600_000)
            #expect(RFC3339.wallMs(RFC3339.text(wallMs: wallMs)) == wallMs)
        }
        #expect(RFC3339.wallMs("2026-11-20T17:00:00+09:00") == RFC3339.wallMs("2026-11-20T08:00:00.000Z"))
        #expect(RFC3339.wallMs("2026-02-29T00:00:00Z") == nil)
    }
}
