package import STPlatform

package enum DesktopStatus: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// The current source of observations, such as `x11`, `scripted` or `none`.
        package var source: String
        package var reason: Message
        package var seen: Int64
        package var waiting: Int64
        /// True if nothing can be observed on this desktop. The time is then `unobserved`.
        package var isBlind: Bool?
        /// The remedy, if this desktop cannot be observed, or only in part.
        package var wayOut: Message?
        /// The member to whom the time on this screen belongs.
        package var member: String?
        package var presence: Presence?
        /// The foreground app.
        package var app: String?
        /// The site of the foreground page, if its browser reports it.
        package var site: String?

        package init(
            source: String,
            reason: Message,
            seen: Int64,
            waiting: Int64,
            isBlind: Bool? = nil,
            wayOut: Message? = nil,
            member: String? = nil,
            presence: Presence? = nil,
            app: String? = nil,
            site: String? = nil
        ) {
            self.source = source
            self.reason = reason
            self.seen = seen
            self.waiting = waiting
            self.isBlind = isBlind
            self.wayOut = wayOut
            self.member = member
            self.presence = presence
            self.app = app
            self.site = site
        }
    }

    package static let name = "desktop.status"
    package static let kind = RouteKind.read
    package static let summary =
        "Returns the source and number of observations, the number that wait for activity-center, and the "
        + "foreground app."
}

/// Plays a script of usage, as if desktop-agent had observed it.
package enum DesktopPlay: Route {
    package struct Step: WireBody, Codable, Equatable {
        /// The foreground app. `nil` with presence `active` means the empty desktop.
        package var app: String?
        package var domain: String?
        package var presence: Presence?
        package var forMs: Int64
        /// The number of notifications that each app shows to the member at the beginning of the step.
        package var notifications: [String: Int64]?

        package init(
            app: String? = nil,
            domain: String? = nil,
            presence: Presence? = nil,
            forMs: Int64,
            notifications: [String: Int64]? = nil
        ) {
            self.app = app
            self.domain = domain
            self.presence = presence
            self.forMs = forMs
            self.notifications = notifications
        }
    }

    package struct Request: WireBody, Codable, Equatable {
        /// The member whose usage the script contains.
        package var member: String
        /// The time between the start of the first step and now. With 0, the script starts now and plays in real time.
        package var agoMs: Int64?
        package var steps: [Step]

        package init(member: String, agoMs: Int64? = nil, steps: [Step]) {
            self.member = member
            self.agoMs = agoMs
            self.steps = steps
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var steps: Int64
        package var endsAt: String

        package init(steps: Int64, endsAt: String) {
            self.steps = steps
            self.endsAt = endsAt
        }
    }

    package static let name = "desktop.play"
    package static let kind = RouteKind.write
    package static let summary =
        "Plays a script of usage as observations. Plays past steps immediately, and later steps in real time."
}

/// The source of observations on a desktop.
package enum AdapterKind: String, WireEnum {
    case x11
    case wlroots
    case gnome
    case kwin
    case scripted
    /// Nothing can be observed. The time is `unobserved`.
    case none
    case unknown
}

/// The evidence that identified the app of a window, in the order in which it is tried.
package enum AppClue: String, WireEnum {
    case desktopEntry = "desktop_entry"
    case windowClass = "window_class"
    case flatpak
    case snap
    case scope
    case executable
    /// Only the name that the window states.
    case itself
    case unknown
}

/// The strongest measure that shields take.
package enum Escalation: String, WireEnum {
    case cover
    case pause
    case close
    case end
    case unknown
}

/// The mechanism that pauses an app.
package enum PauseMeans: String, WireEnum {
    /// The app's cgroup is frozen.
    case freezer
    /// The app's processes have received SIGSTOP.
    case signal
    case unknown
}

/// The stage of a shield on the screen.
package enum ScreenShieldStage: String, WireEnum {
    /// The shield is required, but not on the screen yet.
    case rising
    case covered
    case paused
    /// The app's windows were requested to close.
    case closing
    /// The app's processes were requested to end.
    case ending
    case unknown
}

/// The subject of a finding of the doctor.
package enum DoctorTopic: String, WireEnum {
    case system
    case session
    case adapter
    case sight
    case presence
    case apps
    case notifications
    case shields
    case pausing
    case never
    case unknown
}

package enum DoctorState: String, WireEnum {
    case fine
    /// Works only in part.
    case limited
    case missing
    /// The state cannot be determined.
    case unknown
}

/// A part of Screen Time that works on this desktop or does not work.
package struct DoctorFinding: WireBody, Codable, Equatable {
    package var topic: DoctorTopic
    package var state: DoctorState
    package var text: Message
    /// The remedy: a command if there is one.
    package var mend: Message?
    /// The condition that this finding reports; nil for what works, and for limits of this desktop.
    package var code: ConditionCode?

    package init(
        topic: DoctorTopic,
        state: DoctorState,
        text: Message,
        mend: Message? = nil,
        code: ConditionCode? = nil
    ) {
        self.topic = topic
        self.state = state
        self.text = text
        self.mend = mend
        self.code = code
    }
}

package enum DesktopDoctor: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var adapter: AdapterKind
        /// The reason for the choice of this adapter, in one sentence.
        package var reason: Message
        /// True if nothing can be observed on this desktop. The time is then `unobserved`.
        package var isBlind: Bool
        /// The remedy, if this desktop cannot be observed, or only in part.
        package var wayOut: Message?
        package var findings: [DoctorFinding]

        package init(
            adapter: AdapterKind,
            reason: Message,
            isBlind: Bool,
            wayOut: Message? = nil,
            findings: [DoctorFinding]
        ) {
            self.adapter = adapter
            self.reason = reason
            self.isBlind = isBlind
            self.wayOut = wayOut
            self.findings = findings
        }
    }

    package static let name = "desktop.doctor"
    package static let kind = RouteKind.read
    package static let summary =
        "Reports which observation and enforcement functions work on this desktop, with remedies where they "
        + "exist."
}

/// The origin of an installed app.
package enum AppOrigin: String, WireEnum {
    case system
    case user
    case flatpak
    case snap
    case unknown
}

/// An app that a person can start on this computer.
package struct CatalogueApp: WireBody, Codable, Equatable {
    package var app: String
    package var name: String
    /// The path of a picture, or the name of an icon if no picture was found.
    package var icon: String?
    package var category: String
    package var origin: AppOrigin
    /// The app's other names, in its own language and others. `nil` if there are none.
    package var names: [String]?
    /// The programs that the app starts, and the names of its windows and packages.
    package var programs: [String]?
    /// The kinds of program, such as `Web Browser`.
    package var kinds: [String]?

    package init(
        app: String,
        name: String,
        icon: String? = nil,
        category: String,
        origin: AppOrigin,
        names: [String]? = nil,
        programs: [String]? = nil,
        kinds: [String]? = nil
    ) {
        self.app = app
        self.name = name
        self.icon = icon
        self.category = category
        self.origin = origin
        self.names = names
        self.programs = programs
        self.kinds = kinds
    }
}

package enum DesktopCatalogue: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The language of the names, such as `ko`. `nil` means the language of the service.
        package var language: String?
        package var next: String?
        package var limit: Int64?

        package init(language: String? = nil, next: String? = nil, limit: Int64? = nil) {
            self.language = language
            self.next = next
            self.limit = limit
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var apps: [CatalogueApp]
        /// The version of the catalogue. It changes when an app is installed or removed. If it differs from that of the previous
        /// page, start from the first page again.
        package var version: Int64
        package var next: String?

        package init(apps: [CatalogueApp], version: Int64, next: String? = nil) {
            self.apps = apps
            self.version = version
            self.next = next
        }
    }

    package static let limitMax: Int64 = 200
    package static let name = "desktop.apps"
    package static let kind = RouteKind.read
    package static let summary = "Lists the apps installed on this computer, by name, a page at a time."
}
