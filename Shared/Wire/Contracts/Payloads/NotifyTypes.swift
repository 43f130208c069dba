package import STDomain

/// A button of a notification.
package struct NotifyAction: WireBody, Codable, Equatable {
    package var id: String
    package var label: String

    package init(id: String, label: String) {
        self.id = id
        self.label = label
    }
}

/// When a notification is due, where that is not at once.
package enum NotifyTriggerKind: String, WireEnum {
    case interval
    case calendar
    case unknown
}

package struct NotifyTrigger: WireBody, Codable, Equatable {
    package var kind: NotifyTriggerKind
    /// Of an interval.
    package var afterMs: Int64?
    /// Of a calendar: the next moment that fits.
    package var fields: DateFields?
    package var repeats: Bool

    package init(kind: NotifyTriggerKind, afterMs: Int64? = nil, fields: DateFields? = nil, repeats: Bool) {
        self.kind = kind
        self.afterMs = afterMs
        self.fields = fields
        self.repeats = repeats
    }
}

package enum NotifyUrgency: String, WireEnum {
    case low
    case normal
    case critical
    case unknown
}

/// How far a notification has come.
package enum NotifyState: String, WireEnum {
    case scheduled
    case waiting
    case sending
    case shown
    case closed
    case answered
    case failed
    case uncertain
    case withdrawn
    case unknown
}

/// By what a person could see it.
package enum NotifyVia: String, WireEnum {
    case desktop
    case terminal
    case unknown
}

/// The button that a person pressed.
package struct NotifyAnswered: WireBody, Codable, Equatable {
    package var action: String
    package var wallMs: Int64
    package var via: NotifyVia

    package init(action: String, wallMs: Int64, via: NotifyVia) {
        self.action = action
        self.wallMs = wallMs
        self.via = via
    }
}

/// Whether something shows notifications on a screen.
package enum NotifyDesktopState: String, WireEnum {
    case ready
    /// Nobody there: they wait, and a terminal shows them.
    case absent
    /// Not wanted: they are only written down.
    case off
    case unknown
}

package struct NotifyDesktop: WireBody, Codable, Equatable {
    package var state: NotifyDesktopState
    /// Of the program that shows them, such as `dunst 1.9.0`.
    package var name: String?
    /// Why there is none, in a sentence.
    package var note: String?

    package init(state: NotifyDesktopState, name: String? = nil, note: String? = nil) {
        self.state = state
        self.name = name
        self.note = note
    }
}
