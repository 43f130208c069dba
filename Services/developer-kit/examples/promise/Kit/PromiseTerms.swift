package import DeviceActivity
package import FamilyControls
import Foundation
package import STAppSupport

/// What was promised, apart from the apps: how much, when, and in which words.
package struct PromiseTerms: Equatable, Sendable {
    /// How much fits into a notification.
    package static let wordsBytesMax = 1_000

    package var allowance: Length
    /// Nil means no warning.
    package var warning: Length?
    /// The person's own; empty lets the app find some.
    package var words: String
    package var from: TimeOfDay
    package var to: TimeOfDay

    package init(
        allowance: Length = Length(minutes: 30),
        warning: Length? = Length(minutes: 5),
        words: String = "",
        from: TimeOfDay = .midnight,
        to: TimeOfDay = .lastSecond
    ) {
        self.allowance = allowance
        self.warning = warning
        self.words = words
        self.from = from
        self.to = to
    }

    /// Says what cannot be promised.
    package func check() throws {
        guard allowance.seconds > 0, allowance < .day else {
            throw Refusal(
                .usage,
                "The allowance is \(allowance.text). Give more than 0m and less than a day, such as 30m"
            )
        }
        if let warning {
            guard warning.seconds > 0, warning < allowance else {
                throw Refusal(
                    .usage,
                    "A warning of \(warning.text) is too early for an allowance of \(allowance.text). Give less than \(allowance.text), or 0m for none"
                )
            }
        }
        guard words.utf8.count <= Self.wordsBytesMax else {
            throw Refusal(
                .usage,
                "Your words have \(words.utf8.count) bytes, and the limit is \(Self.wordsBytesMax). Make them shorter"
            )
        }
        guard words.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Refusal(.usage, "Your words have characters that cannot be shown. Write them as one line")
        }
    }

    package var window: String { "\(from.text)–\(to.text)" }

    /// Whether the system has to be told; it does not know the words.
    package func isWatchedOtherwise(than other: PromiseTerms) -> Bool {
        var same = self
        same.words = other.words
        return same != other
    }

    package var schedule: DeviceActivitySchedule {
        DeviceActivitySchedule(
            intervalStart: from.components,
            intervalEnd: to.components,
            repeats: true,
            warningTime: warning?.components
        )
    }

    /// What is counted; `includesPastActivity` when a promise under way is changed, so that this gives no second allowance.
    package func events(
        for selection: FamilyActivitySelection,
        includesPastActivity: Bool
    ) -> [DeviceActivityEvent.Name: DeviceActivityEvent] {
        [
            .allowance: DeviceActivityEvent(
                applications: selection.applicationTokens,
                categories: selection.categoryTokens,
                webDomains: selection.webDomainTokens,
                threshold: allowance.components,
                includesPastActivity: includesPastActivity
            )
        ]
    }
}

extension DeviceActivityName {
    /// The one activity of this app: every day.
    package static let daily = Self("daily")
}

extension DeviceActivityEvent.Name {
    /// The day's allowance is used up.
    package static let allowance = Self("allowance")
}
