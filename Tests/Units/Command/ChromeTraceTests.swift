import STCommandCore
import STContracts
import Testing

@Suite("The export for Perfetto")
struct ChromeTraceTests {
    @Test("In a Chrome trace, each service is a named process and each span is a slice with a duration")
    func slices() throws {
        let events = try events(Spans.observation)

        let names = events.filter { $0["name"] == "process_name" }.compactMap { $0["args"]?["name"]?.string }
        #expect(names == ["activity-center", "report-service"])
        let slices = events.filter { $0["ph"] == "X" }
        #expect(slices.count == 4)
        #expect(slices.first?["ts"] == .integer(1_000))
        #expect(slices.first?["dur"] == .integer(1_900))
        #expect(slices.allSatisfy { number($0["dur"]) > 0 }, "an arrow needs a slice to begin at")
    }

    @Test("An arrow in a Chrome trace starts and ends inside slices of different processes")
    func arrows() throws {
        let events = try events(Spans.observation)

        let starts = events.filter { $0["ph"] == "s" }
        let ends = events.filter { $0["ph"] == "f" }
        #expect(starts.count == 1)
        #expect(starts.map { $0["id"] } == ends.map { $0["id"] })
        for (start, end) in zip(starts, ends) {
            #expect(start["pid"] != end["pid"])
            #expect(number(start["ts"]) <= number(end["ts"]))
            for arrow in [start, end] { #expect(isInside(arrow, events)) }
        }
    }

    @Test("Two slices of one thread in a Chrome trace are nested or do not overlap")
    func lanes() throws {
        let spans = (0..<200).map { number in
            let start = Int64(number * 7919 % 1_000)
            return Spans.make(
                .handle,
                name: "r",
                service: "notifier",
                id: "s\(number)",
                at: start,
                for: Int64(number * 104_729 % 300)
            )
        }

        let slices = try events(spans).filter { $0["ph"] == "X" }

        #expect(slices.count > 100)
        for (index, left) in slices.enumerated() {
            for right in slices[(index + 1)...] where left["tid"] == right["tid"] {
                let (start, end) = (number(left["ts"]), number(left["ts"]) + number(left["dur"]))
                let (from, to) = (number(right["ts"]), number(right["ts"]) + number(right["dur"]))
                #expect(
                    end <= from || to <= start || (start <= from && to <= end) || (from <= start && end <= to)
                )
            }
        }
    }

    private func events(_ spans: [TraceSpan]) throws -> [JSONValue] {
        let value = try JSONOutput.value(JSONOutput.compact(ChromeTrace(spans).document))
        guard case .array(let events) = value["traceEvents"] else { return [] }
        return events
    }

    private func isInside(_ arrow: JSONValue, _ events: [JSONValue]) -> Bool {
        events.contains { slice in
            slice["ph"] == "X" && slice["pid"] == arrow["pid"] && slice["tid"] == arrow["tid"]
                && number(slice["ts"]) <= number(arrow["ts"])
                && number(arrow["ts"]) < number(slice["ts"]) + number(slice["dur"])
        }
    }

    private func number(_ value: JSONValue?) -> Int64 {
        guard case .integer(let number) = value else { return -1 }
        return number
    }
}
