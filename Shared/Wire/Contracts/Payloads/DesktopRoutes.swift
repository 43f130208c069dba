package import STPlatform

package enum DesktopStatus: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// Which source of observations is at work, such as `x11`, `scripted` or `none`.
        package var source: String
        package var reason: Message
        package var seen: Int64
        package var waiting: Int64
        /// Nothing can be seen here: time is `unobserved`.
        package var isBlind: Bool?
        /// Where it is blind: what would help.
        package var wayOut: Message?
        /// Whose time the screen's is.
        package var member: String?
        package var presence: Presence?
        /// In front at this moment.
        package var app: String?
        /// Of the page in front, where its browser says so.
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
        "Where observations come from, how many there were, how many wait to be accepted."
}

/// Plays a script of who looks at what, as if a desktop had seen it.
package enum DesktopPlay: Route {
    package struct Step: WireBody, Codable, Equatable {
        /// Nil with presence `active` is the bare desktop.
        package var app: String?
        package var domain: String?
        package var presence: Presence?
        package var forMs: Int64
        /// How many notifications each app puts before the member as the step begins.
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
        /// Whose day this is.
        package var member: String
        /// How long before now the first step begins; 0 plays from now on, at the pace of the clock.
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
        "Plays a script of who looks at what, past steps at once and the rest as time goes by."
}

/// Where what is in front is known from.
package enum AdapterKind: String, WireEnum {
    case x11
    case wlroots
    case gnome
    case kwin
    case scripted
    /// Nothing can be seen: time is `unobserved`.
    case none
    case unknown
}

/// What told which app a window belongs to, in the order in which they are tried.
package enum AppClue: String, WireEnum {
    case desktopEntry = "desktop_entry"
    case windowClass = "window_class"
    case flatpak
    case snap
    case scope
    case executable
    /// Nothing but what the window calls itself.
    case itself
    case unknown
}

/// How far a shield goes.
package enum Escalation: String, WireEnum {
    case cover
    case pause
    case close
    case end
    case unknown
}

/// How an app is held.
package enum PauseMeans: String, WireEnum {
    /// Its cgroup is frozen.
    case freezer
    /// Its processes were sent SIGSTOP.
    case signal
    case unknown
}

/// How far a shield on the screen has come.
package enum ScreenShieldStage: String, WireEnum {
    /// Wanted, and not yet on the screen.
    case rising
    case covered
    case paused
    /// Its windows were asked to close.
    case closing
    /// Its processes were told to end.
    case ending
    case unknown
}

/// What a finding of the doctor is about.
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
    /// Works in part.
    case limited
    case missing
    /// It cannot be found out.
    case unknown
}

/// One thing that works here, or does not.
package struct DoctorFinding: WireBody, Codable, Equatable {
    package var topic: DoctorTopic
    package var state: DoctorState
    package var text: Message
    /// What to do about it: a command where there is one.
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
        /// Why this one, in one sentence.
        package var reason: Message
        /// Nothing can be seen here: time is `unobserved`.
        package var isBlind: Bool
        /// Where it is blind: what would help.
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
        "What can be seen and enforced on this desktop, what cannot, and what would fix it."
}

/// Where an installed app comes from.
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
    /// The path of a picture, or the name of an icon where none was found.
    package var icon: String?
    package var category: String
    package var origin: AppOrigin
    /// Its name in its own language and others, where that is another one.
    package var names: [String]?
    /// What it starts, and what its windows and packages are called.
    package var programs: [String]?
    /// What sort of program it is, such as `Web Browser`.
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
        /// Such as `ko`; nil is the language of the service.
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
        /// Another one when something was installed or removed since: then begin anew.
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
    package static let summary = "The apps installed on this computer, by name, a page at a time."
}
