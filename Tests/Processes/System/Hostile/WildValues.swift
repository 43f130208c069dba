import STContracts
import STPlatform
import STTestSupport

/// Requests of a valid structure with unusual values: those of the golden files, with one to three extreme values.
struct WildValues {
    private let requests: [(route: String, body: JSONValue)]
    private var random: SeededRandom
    private var count = 0

    init(of service: ServiceName, random: SeededRandom) throws {
        self.random = random
        let routes = (Catalogue.common + (Catalogue.entry(service)?.routes ?? [])).map(\.name)
        // Mutated paths of a backup could name any files.
        requests = try routes.filter { $0 != DataBackup.name }.map { route in
            let path = BuiltTree.source("Tests/Golden/Contracts/\(route).request.json")
            return (route, try JSONValue(text: try AtomicFile.read(path, limitBytes: 1 << 20)))
        }
    }

    mutating func next() -> [[UInt8]] {
        count += 1
        var (route, body) = requests[random.number(0...(requests.count - 1))]
        // The stores of rules need no app and no permission, so that more code is reached.
        if random.chance(percent: 50) { body = Self.ofRules(body) }
        for _ in 0..<random.number(1...3) { body = wild(body) }
        var text = body.text
        if random.chance(percent: 5), let end = text.firstIndex(of: UInt8(ascii: ":")) {
            // Repeat the first key.
            text = text[...end] + Array("null,".utf8) + text.dropFirst()
        }
        let header = RequestHeader(id: "wild-\(count)", route: route, timeoutMs: 5_000)
        return [header.encoded(), Array(text.prefix(BusLimits.requestBodyBytes))]
    }

    private static func ofRules(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(var members):
            for (key, member) in members {
                members[key] = key == "app" ? .string("screentime.rules") : ofRules(member)
            }
            return .object(members)
        case .array(let items): return .array(items.map(ofRules))
        default: return value
        }
    }

    /// Sets one value inside to an extreme.
    private mutating func wild(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(var members):
            let keys = members.keys.sorted()
            guard !keys.isEmpty, !random.chance(percent: 3) else { return .object([:]) }
            let key = keys[random.number(0...(keys.count - 1))]
            if random.chance(percent: 5) {
                members[key] = nil
            } else {
                members[key] = members[key].map { wild($0) }
            }
            return .object(members)
        case .array(var items):
            switch random.number(0...9) {
            case 0: return .array([])
            case 1:
                return .array((items.first.map { Array(repeating: $0, count: random.number(2...600)) } ?? []))
            default:
                guard !items.isEmpty else { return .array([.integer(.max)]) }
                let index = random.number(0...(items.count - 1))
                items[index] = wild(items[index])
                return .array(items)
            }
        case .integer:
            let edges: [Int64] = [
                .min, .min + 1, .max, .max - 1, -1, 0, 1, 1 << 31, 1 << 52, -(1 << 52), 253_402_300_799_999,
                7_258_118_400_000, 315_360_000_000,
            ]
            return .integer(random.pick(edges) ?? 0)
        case .string:
            let texts = [
                "", "\u{0}", "\u{202E}evil", String(repeating: "x", count: random.number(100...5_000)), "/",
                "../..", "9223372036854775807",
                "-9223372036854775808.-9223372036854775808", "9999-12-31T23:59:59.999Z", "0000-01-01",
                "child", "screentime.rules", "UTC",
                "Pacific/Apia", "\u{1F468}\u{200D}\u{1F469}",
            ]
            return .string(random.pick(texts) ?? "")
        case .bool(let isTrue): return .bool(!isTrue)
        default: return .integer(.min)
        }
    }
}
