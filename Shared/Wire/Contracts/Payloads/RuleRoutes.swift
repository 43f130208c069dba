package enum RuleAdd: Route {
    package typealias Request = RuleSpec

    package struct Reply: WireBody, Codable, Equatable {
        package var rule: RuleView
        /// What does not work yet, or is worth knowing.
        package var notes: [ActivityNote]

        package init(rule: RuleView, notes: [ActivityNote]) {
            self.rule = rule
            self.notes = notes
        }
    }

    package static let name = "rule.add"
    package static let kind = RouteKind.write
    package static let summary = "Adds a limit, downtime, window, goal or an app that is always allowed."
}

/// Changes what is named and leaves the rest; an empty text or list and a duration of 0 take away.
package enum RuleEdit: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        package var newName: String?
        package var targets: [TokenItem]?
        package var durationMs: Int64?
        package var window: RuleWindow?
        package var days: [Int]?
        package var opens: [TokenItem]?
        package var then: RuleConsequence?
        package var warnMs: Int64?
        package var say: String?

        package init(
            name: String,
            newName: String? = nil,
            targets: [TokenItem]? = nil,
            durationMs: Int64? = nil,
            window: RuleWindow? = nil,
            days: [Int]? = nil,
            opens: [TokenItem]? = nil,
            then: RuleConsequence? = nil,
            warnMs: Int64? = nil,
            say: String? = nil
        ) {
            self.name = name
            self.newName = newName
            self.targets = targets
            self.durationMs = durationMs
            self.window = window
            self.days = days
            self.opens = opens
            self.then = then
            self.warnMs = warnMs
            self.say = say
        }
    }

    package typealias Reply = RuleAdd.Reply

    package static let name = "rule.edit"
    package static let kind = RouteKind.write
    package static let summary = "Changes a rule; what is not named stays as it is."
}

package enum RuleList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var kind: RuleKind?
        package var member: String?
        package var next: String?

        package init(kind: RuleKind? = nil, member: String? = nil, next: String? = nil) {
            self.kind = kind
            self.member = member
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rules: [RuleView]
        package var next: String?

        package init(rules: [RuleView], next: String?) {
            self.rules = rules
            self.next = next
        }
    }

    package static let name = "rule.list"
    package static let kind = RouteKind.read
    package static let summary = "The built-in rules, by name."
}

package enum RuleRemove: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String

        package init(name: String) { self.name = name }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// As it was.
        package var rule: RuleView

        package init(rule: RuleView) { self.rule = rule }
    }

    package static let name = "rule.remove"
    package static let kind = RouteKind.write
    package static let summary = "Takes a rule away."
}

package enum RulePause: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        /// From now on; 0 ends the pause.
        package var forMs: Int64

        package init(name: String, forMs: Int64) {
            self.name = name
            self.forMs = forMs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rule: RuleView

        package init(rule: RuleView) { self.rule = rule }
    }

    package static let name = "rule.pause"
    package static let kind = RouteKind.write
    package static let summary = "Silences a rule for a while; what happened meanwhile is told afterwards."
}
