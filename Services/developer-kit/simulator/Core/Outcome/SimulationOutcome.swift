package import STContracts
package import STSimulator

/// All that came of a scenario, without anything that differs from run to run.
package struct SimulationOutcome: Sendable, Equatable {
    /// Whether an expectation was met, and what happened instead.
    package struct Verdict: Sendable, Equatable {
        /// The expectation in words.
        package var expected: String
        package var isMet: Bool
        package var instead: String?
        package var path: String
    }

    package var name: String
    /// The zone of the device at the start.
    package var zone: String
    package var startWallMs: Int64
    package var endWallMs: Int64
    package var timeline: [TimelineEntry]
    /// What a phone would have kept silent about.
    package var silences: [String]
    package var verdicts: [Verdict]
    package var shields: [SimulatorOutcome.Shield] = []
    package var costs = Costs(calls: [])

    /// They differ from run to run, so they are not compared.
    package struct Costs: Sendable, Equatable {
        package var calls: [SimulatorOutcome.Call]

        package static func == (one: Costs, other: Costs) -> Bool { true }
    }

    package var isMet: Bool { verdicts.allSatisfy(\.isMet) }
}

/// One thing that came of a scenario.
package struct TimelineEntry: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Something that an app hears about.
        case occasion(ActivityOccasion)
        case notification
        /// A store shields more or less from now on.
        case store
        /// A shield went up in front of a member.
        case shield
        /// A member pressed a button of it.
        case press
        /// More time was granted, or is over.
        case grant
        /// What the scenario did to the device, to read the rest by.
        case deed
    }

    /// What became of the callback to the app's extension.
    package struct Callback: Sendable, Equatable {
        package var state: DeliveryState
        package var attempt: Int64
        package var reason: String?
        /// What the extension printed and logged meanwhile.
        package var lines: [String] = []
        /// What came on standard error, such as where it crashed.
        ///
        /// It has addresses and numbers of processes, so it is shown and not compared.
        package var complaints: [String] = []
        /// Work that it had begun when it returned was cut off.
        package var isCut: Bool = false

        package static func == (one: Callback, other: Callback) -> Bool {
            one.state == other.state && one.attempt == other.attempt && one.reason == other.reason
                && one.lines == other.lines && one.isCut == other.isCut
        }
    }

    /// By the clock of the device: the exact moment it is about.
    package var atMs: Int64
    /// By the same clock, when it was reported.
    package var toldMs: Int64
    /// The zone of the device then.
    package var zone: String
    package var kind: Kind
    package var app: String?
    package var member: String?
    package var activity: String?
    package var event: String?
    package var text: String?
    /// The app's store, or the name of a rule.
    package var store: String?
    /// What a shield stands in front of, and the stores that put it there.
    package var subject: ShieldSubject?
    package var by: [String]?
    package var category: String?
    /// The start of the interval that it is about.
    package var intervalStartMs: Int64?
    package var intervalEndMs: Int64?
    /// Nil where there is no extension to be called.
    package var callback: Callback?
    /// What the extension of a shield printed and logged meanwhile.
    package var lines: [String] = []

    /// Apple's name of the callback.
    package var method: String? {
        guard case .occasion(let occasion) = kind else { return nil }
        return Self.method(of: occasion)
    }

    package static func method(of occasion: ActivityOccasion) -> String? {
        switch occasion {
        case .intervalStarted: "intervalDidStart"
        case .intervalEnded: "intervalDidEnd"
        case .intervalWillStart: "intervalWillStartWarning"
        case .intervalWillEnd: "intervalWillEndWarning"
        case .thresholdReached: "eventDidReachThreshold"
        case .thresholdWarning: "eventWillReachThresholdWarning"
        case .thresholdReturned, .unknown: nil
        }
    }
}
