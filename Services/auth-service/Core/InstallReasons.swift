import STPlatform

/// All that is wrong with an app, so that its developer hears of it at once and not one by one.
struct InstallReasons {
    private static let namedMax = 20

    private struct Reason {
        var code: String
        var field: String
        var sentence: String
    }

    private var reasons: [Reason] = []

    var isEmpty: Bool { reasons.isEmpty }

    mutating func add(_ code: String, _ field: String, _ sentence: String) {
        reasons.append(Reason(code: code, field: field, sentence: sentence))
    }

    /// One reason is told with its own code, several with a list of them.
    func problem(_ bundle: String) -> Problem? {
        guard let first = reasons.first else { return nil }
        let help = "screentime app install --help"
        guard reasons.count > 1 else {
            return Problem(first.code, first.sentence, field: first.field, help: help)
        }
        let named = reasons.prefix(Self.namedMax)
        var details: [String: String] = [:]
        for (index, reason) in named.enumerated() {
            let number = index < 9 ? "0\(index + 1)" : "\(index + 1)"
            details["\(number) \(reason.code)"] = "\(reason.sentence) (\(reason.field))"
        }
        let lines = named.map { "\n- \($0.sentence) (\($0.field))" }.joined()
        let more = reasons.count > named.count ? "\n- and \(reasons.count - named.count) more." : ""
        return Problem(
            "app.refused",
            "\(bundle) cannot be installed, for \(reasons.count) reasons:\(lines)\(more)",
            help: help,
            details: details
        )
    }
}
