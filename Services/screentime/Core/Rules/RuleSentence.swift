package import STContracts
import STPlatform

/// What a rule says, in plain words.
package enum RuleSentence {
    /// `30m of firefox and social a day`, without the days.
    package static func what(_ rule: RuleSpec) -> String {
        let names = names(rule.targets)
        let amount = rule.durationMs.map { TextFormat.duration(ms: $0) } ?? ""
        switch rule.kind {
        case .limit: return "\(amount) of \(names.isEmpty ? SubjectReader.everything : names) a day"
        case .downtime: return "no computer \(window(rule))"
        case .window: return "\(names) only \(window(rule))"
        case .goal: return "\(amount) of \(names) a day before \(self.names(rule.opens ?? []))"
        case .allow: return "\(names) is always allowed"
        case .unknown: return "a rule that this version does not know"
        }
    }

    /// What happens, and when it warns.
    package static func consequence(_ rule: RuleSpec, for member: String?) -> String {
        guard rule.kind != .allow else { return "" }
        if rule.then == .shield { return shut(rule, for: member) }
        let who = member.map { "\(DisplayWidth.harmless($0)) is" } ?? "You are"
        let moment =
            switch rule.kind {
            case .limit: "told when it is used up"
            case .downtime: "told when it begins"
            case .window: "told when it is used at another time"
            case .goal: "told when it is reached, or what it opens is used before"
            case .allow, .unknown: "told"
            }
        let warning = rule.warnMs.map { ", and \(TextFormat.duration(ms: $0)) before" } ?? ""
        return "\(who) \(moment)\(warning)."
    }

    /// Of a rule that shields: what is shut, when, and that it is told too.
    private static func shut(_ rule: RuleSpec, for member: String?) -> String {
        let told = member.map { "\(DisplayWidth.harmless($0)) is told" } ?? "you are told"
        let warning = rule.warnMs.map { ", and \(TextFormat.duration(ms: $0)) before" } ?? ""
        switch rule.kind {
        case .limit:
            return "When it is used up, \(areShut(rule.targets)) until midnight, and \(told)\(warning)."
        case .downtime: return "All that is not always allowed is shut then, and \(told)\(warning)."
        case .window:
            return "At any other time \(areShut(rule.targets)), and \(told) when it is used\(warning)."
        case .goal:
            return "Until then \(areShut(rule.opens ?? [])); \(told) when it opens\(warning)."
        case .allow, .unknown: return ""
        }
    }

    private static func areShut(_ items: [TokenItem]) -> String {
        items.isEmpty ? "everything is shut" : "\(names(items)) \(items.count == 1 ? "is" : "are") shut"
    }

    package static func names(_ items: [TokenItem]) -> String {
        let names = items.map { DisplayWidth.harmless($0.id) }
        guard names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }

    private static func window(_ rule: RuleSpec) -> String {
        rule.window.map { "from \($0.from) to \($0.to)" } ?? ""
    }
}
