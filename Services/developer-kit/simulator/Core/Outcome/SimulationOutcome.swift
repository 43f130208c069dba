package import STContracts
package import STPlatform
package import STSimulator

/// The outcome of a scenario. Values that differ from run to run are not compared.
package struct SimulationOutcome: Sendable, Equatable {
    /// The verdict on an expectation.
    package struct Verdict: Sendable, Equatable {
        /// The expectation as text.
        package var expected: String
        package var isMet: Bool
        package var actual: String?
        package var path: String
    }

    package var name: String
    /// The zone of the device at the start.
    package var zone: String
    package var start: WallTime
    package var end: WallTime
    package var timeline: [TimelineEntry]
    /// The problems that a phone would not report.
    package var unreportedProblems: [String]
    package var verdicts: [Verdict]
    package var shields: [SimulatorOutcome.Shield] = []
    package var costs = Costs(calls: [])

    /// The costs of callbacks. These values differ from run to run, so they are not compared.
    package struct Costs: Sendable, Equatable {
        package var calls: [SimulatorOutcome.Call]

        package static func == (one: Costs, other: Costs) -> Bool { true }
    }

    package var isMet: Bool { verdicts.allSatisfy(\.isMet) }
}

/// One event in the outcome of a scenario.
package struct TimelineEntry: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// An event that is reported to an app.
        case occasion(ActivityOccasion)
        case notification
        /// A change of the shields or settings of a store.
        case store
        /// A shield was shown to a member.
        case shield
        /// A member pressed a button of a shield.
        case press
        /// A grant of more time began or ended.
        case grant
        /// A change that the scenario made to the device. It explains the following entries.
        case step
    }

    /// The result of the callback to the app's extension.
    package struct Callback: Sendable, Equatable {
        package var state: DeliveryState
        package var attempt: Int64
        package var reason: String?
        /// The lines that the extension printed and logged during the callback.
        package var lines: [String] = []
        /// The lines on standard error, for example the location of a crash.
        ///
        /// These lines contain addresses and process ids, so they are shown but not compared.
        package var complaints: [String] = []
        /// True if work that continued after the callback's return was interrupted.
        package var isCut: Bool = false

        package static func == (one: Callback, other: Callback) -> Bool {
            one.state == other.state && one.attempt == other.attempt && one.reason == other.reason
                && one.lines == other.lines && one.isCut == other.isCut
        }
    }

    /// The exact time of the event, by the clock of the device.
    package var at: WallTime
    /// The time at which the event was reported, by the same clock.
    package var reported: WallTime
    /// The zone of the device at that time.
    package var zone: String
    package var kind: Kind
    package var app: String?
    package var member: String?
    package var activity: String?
    package var event: String?
    package var text: String?
    /// The name of the app's store, or of a rule.
    package var store: String?
    /// The shielded app or site, and the stores that shield it.
    package var subject: ShieldSubject?
    package var by: [String]?
    package var category: String?
    /// The start of the interval that the event belongs to.
    package var intervalStart: WallTime?
    package var intervalEnd: WallTime?
    /// The callback. `nil` if there is no extension to call.
    package var callback: Callback?
    /// The lines that the extension of a shield printed and logged.
    package var lines: [String] = []

    /// The name of the callback in Apple's API.
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
