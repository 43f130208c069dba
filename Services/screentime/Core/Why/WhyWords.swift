import STContracts
import STPlatform

/// The sentences of `screentime why`.
enum WhyWords {
    static func sentence(_ cause: ShieldCauseBody, owner: String, thing: String) -> String {
        switch cause.way {
        case .named: "\(owner) shields \(thing) itself"
        case .category: "\(owner) shields the category \(cause.what)"
        case .all: "\(owner) shields everything but its exceptions"
        case .blocked: "\(owner) does not let \(thing) start"
        case .filter: "\(owner) keeps \(cause.what) out by its filter for sites"
        case .unknown: "\(owner) shields it, in a way that this version does not know"
        }
    }

    static func front(_ segment: Segment) -> String {
        let thing = segment.domain.map { "site:\($0)" } ?? segment.app
        switch segment.presence {
        case .active: return "\(thing ?? "the desktop") in front of \(segment.member)"
        case .unobserved, .unknown: return "nothing could be seen"
        default: return "\(segment.member) was \(segment.presence.rawValue)"
        }
    }

    static func occasion(_ occurrence: ActivityOccurrence) -> String {
        let evidence = occurrence.evidence
        let note = evidence.note.map { "; \($0)" } ?? ""
        switch occurrence.occasion {
        case .intervalStarted: return "an interval began: \(evidence.rule)\(note)"
        case .intervalEnded: return "an interval ended: \(evidence.rule)\(note)"
        case .intervalWillStart: return "an interval begins soon: \(evidence.rule)"
        case .intervalWillEnd: return "an interval ends soon: \(evidence.rule)"
        case .thresholdReached, .thresholdWarning:
            let counted = evidence.countedMs.map { " \(TextFormat.duration(ms: $0)) counted" } ?? ""
            let reached = occurrence.occasion == .thresholdReached ? "used up" : "nearly used up"
            return "\(reached): \(evidence.rule);\(counted)\(note)"
        case .unknown: return "something happened that this version does not know"
        }
    }
}
