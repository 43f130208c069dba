package import STDomain

/// As it stands in settings: monitor-runner writes it, shield-service reads it.
extension ShieldNote {
    package static let members: Set<String> = ["rule", "says", "opens_ms"]

    package var json: JSONValue {
        var members: [String: JSONValue] = ["rule": .string(rule)]
        members["says"] = says.map { .string($0) }
        members["opens_ms"] = opensMs.map { .integer($0) }
        return .object(members)
    }

    /// Nil for what is no note; whether it is within bounds is not looked at.
    package init?(_ json: JSONValue) {
        guard case .object(let members) = json, let rule = members["rule"]?.string else { return nil }
        self.init(rule: rule)
        switch members["says"] {
        case nil: break
        case .string(let says)?: self.says = says
        default: return nil
        }
        switch members["opens_ms"] {
        case nil: break
        case .integer(let opensMs)?: self.opensMs = opensMs
        default: return nil
        }
    }
}
