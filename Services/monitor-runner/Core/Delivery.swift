package import STContracts

/// One callback to be made, as it was written down before it was tried.
package struct Delivery: WireBody, Codable, Equatable {
    /// Its place in the order; people see it as D18.
    package var number: Int64
    /// The id of the event, the same in every attempt.
    package var id: String
    package var method: MonitorMethod
    /// What is told, with its evidence.
    package var occurrence: ActivityOccurrence
    package var traceparent: String?
    /// From 1, for the attempt that is being made.
    package var attempt: Int64
    /// Of the attempts that were the extension's own fault.
    var failures: Int64 = 0

    package var app: String { occurrence.app }
    package var member: String { occurrence.member }
    package var name: String { Self.name(number) }

    static func name(_ number: Int64) -> String { "D\(number)" }

    /// The number in a name such as D18, whichever way it is typed.
    static func number(of name: String) -> Int64? {
        let digits = name.first == "D" || name.first == "d" ? name.dropFirst() : name[...]
        return Int64(digits)
    }
}

extension MonitorMethod {
    /// The callback that tells of an occasion.
    init?(_ occasion: ActivityOccasion) {
        switch occasion {
        case .intervalStarted: self = .intervalDidStart
        case .intervalEnded: self = .intervalDidEnd
        case .intervalWillStart: self = .intervalWillStartWarning
        case .intervalWillEnd: self = .intervalWillEndWarning
        case .thresholdReached: self = .eventDidReachThreshold
        case .thresholdWarning: self = .eventWillReachThresholdWarning
        case .unknown: return nil
        }
    }
}
