import STContracts
import STPlatform

extension Invocation {
    func value(_ option: String) -> String? { options[option] }

    /// Milliseconds of an option such as `--for 10s`.
    func durationMs(_ option: String) throws(Problem) -> Int64? {
        guard let text = options[option] else { return nil }
        guard let value = TextFormat.durationMs(text), value > 0 else {
            throw Problem(
                "usage.bad_duration",
                "\(option) is “\(text)”, and wants a duration such as 500ms, 10s or 1h30m.",
                help: "\(option) 10s"
            )
        }
        return value
    }

    func count(_ option: String) throws(Problem) -> Int? {
        guard let text = options[option] else { return nil }
        guard let value = Int(text), (1...1_000_000).contains(value) else {
            throw Problem(
                "usage.bad_number",
                "\(option) is “\(text)”, and wants a number from 1 on.",
                help: "\(option) 10"
            )
        }
        return value
    }

    func service(_ option: String) throws(Problem) -> ServiceName? {
        try options[option].map { text throws(Problem) in try Self.service(named: text) }
    }

    static func service(named text: String) throws(Problem) -> ServiceName {
        let names = ServiceName.all.map(\.rawValue)
        if names.contains(text) { return ServiceName(text) }
        let near = TextFormat.closest(to: text, in: names).map { " Did you mean \($0)?" } ?? ""
        throw Problem(
            "usage.unknown_service",
            "There is no service “\(text)”.\(near) There are: \(names.joined(separator: ", ")).",
            help: "screentime status"
        )
    }

    /// One of the values that a wire enum knows.
    func choice<Value: WireEnum>(_ option: String, _ type: Value.Type) throws(Problem) -> Value? {
        guard let text = options[option] else { return nil }
        if let value = Value(rawValue: text), value != .unknown { return value }
        throw Problem(
            "usage.bad_choice",
            "\(option) is “\(text)”, and can be: \(Value.known.joined(separator: ", ")).",
            help: Value.known.first.map { "\(option) \($0)" }
        )
    }
}
