package import STPlatform

/// An account of this computer and the person to whom it belongs.
package struct DoorPerson: Sendable, Equatable {
    package var account: String
    package var member: String
    package var role: MemberRole

    package init(account: String, member: String, role: MemberRole) {
        self.account = account
        self.member = member
        self.role = role
    }

    /// True for guardians, who may read the data of all members. Their changes for a child still require their passcode.
    var seesAll: Bool { role == .guardian }

    package func canSee(_ name: String) -> Bool { seesAll || name == member }
}

/// The rules for forwarding an account's requests to the services, by route. A route that is not listed is refused.
package enum DoorRules {
    enum Restriction: Equatable {
        /// Concerns no one person, or requires a proof of its own.
        case open
        /// Concerns one member. If the request names no member, it concerns the account's own.
        case own
        /// Concerns rows of one member, or of all members if the request names none. Accounts of other people than guardians
        /// receive only their own rows.
        case rows
        /// Like `rows`, with a list of members.
        case members
        /// Names an object. The service checks to whom the object belongs.
        case thing
        /// Contains observations of an agent.
        case seen
        /// Names the member in the object of this name.
        case below(String)
        /// Imports usage. Each row names a member.
        case imported
        /// Reads events of a stream.
        case events
        case guardian
        /// Refused for children.
        case grown
        /// Only for the administrator and for services.
        case closed
    }

    static let ways: [String: Restriction] = [
        HealthPing.name: .open, HealthReport.name: .open, BusDescribe.name: .open, ClockStatus.name: .open,
        EventsSince.name: .events, EventsSnapshot.name: .events,
        DataBackup.name: .closed, DataCheck.name: .closed, ClockTurn.name: .closed,

        MemberList.name: .open, MemberAdd.name: .guardian, MemberSet.name: .guardian,
        MemberRemove.name: .guardian, MemberShow.name: .own, MemberPasscode.name: .own,
        AuthStatus.name: .own, AuthRequest.name: .own, AuthQuestionShow.name: .thing,
        AuthAnswer.name: .thing, AuthRevoke.name: .own, AuthSwitch.name: .own, AuthCheck.name: .closed,
        AuthProve.name: .closed, AuthorizationList.name: .thing, AuthNotices.name: .open,
        // A bundle's programs run under the services' account.
        AppInstall.name: .closed, AppList.name: .open, AppRemove.name: .guardian,
        TokenIssue.name: .closed, TokenResolve.name: .closed, TokenRekey.name: .closed,

        UsageObserve.name: .seen, UsagePreview.name: .seen, UsageList.name: .rows,
        UsageSegment.name: .own, UsageNow.name: .thing, UsageVerify.name: .guardian,
        UsageForget.name: .guardian, UsageNotifications.name: .rows, UsageImport.name: .imported,
        UsageAcceptClock.name: .open, HistoryList.name: .rows, HistoryAcceptLoss.name: .open,
        ActivityStart.name: .closed, ActivityStop.name: .closed, ActivityList.name: .rows,
        ActivityShow.name: .own, ActivityEvents.name: .own, ActivityPreview.name: .open,
        ActivityExplain.name: .rows, CategorySet.name: .open, CategoryList.name: .open,
        CategoryFacts.name: .open, CategoryListAdd.name: .open, CategoryListRemove.name: .open,

        MonitorDeliveries.name: .guardian, MonitorDelivery.name: .guardian, MonitorRetry.name: .guardian,
        MonitorLog.name: .guardian, MonitorDebug.name: .guardian, RuleAdd.name: .own,
        RuleEdit.name: .thing, RuleList.name: .rows, RuleRemove.name: .thing, RulePause.name: .thing,
        RuleDelay.name: .own, RuleFollow.name: .closed,
        CategoryFollow.name: .closed, RequestRuleFollow.name: .closed,

        SettingsGet.name: .closed, SettingsSet.name: .closed, SettingsClear.name: .closed,
        SettingsDelete.name: .closed, SettingsList.name: .rows, SettingsEffective.name: .own,
        ShieldDecide.name: .own, ShieldConfigurationAsk.name: .own, ShieldShow.name: .own,
        ShieldPress.name: .thing, ShieldList.name: .rows, ShieldExplain.name: .own,
        ShieldAllowed.name: .own, ShieldLog.name: .guardian,
        RequestAdd.name: .own, RequestList.name: .rows, RequestApprove.name: .thing,
        RequestGrant.name: .own, RequestDeny.name: .thing, RequestRevoke.name: .thing,
        RequestFollow.name: .closed,
        RequestCode.name: .thing, RequestCodeSetup.name: .guardian, RequestRuleShow.name: .own,
        RequestRuleSet.name: .below("rule"),

        ReportDay.name: .own, ReportUsage.name: .members, ReportCoverage.name: .open,
        ReportData.name: .own, ReportRender.name: .own, ReportPiece.name: .open,
        ReportContexts.name: .own, ReportRebuild.name: .guardian, ReportLog.name: .guardian,

        NotifyPost.name: .own, NotifyList.name: .rows, NotifyWithdraw.name: .own,
        NotifyRequest.name: .closed,
        NotifyAnswer.name: .thing, NotifyShown.name: .thing,

        // Only the administrator manages the machines of a household.
        RemoteUsageRoute.name: .closed, HouseholdShow.name: .closed, HouseholdStart.name: .closed,
        HouseholdSums.name: .closed,
        HouseholdInvite.name: .closed, HouseholdToken.name: .closed, HouseholdConfirm.name: .closed,
        HouseholdRemove.name: .closed, HouseholdTrust.name: .closed,
        HouseholdJoin.name: .closed, HouseholdPush.name: .closed, HouseholdPull.name: .closed,
        HouseholdPost.name: .closed, HouseholdMachines.name: .closed, HouseholdRequests.name: .closed,
        HouseholdPhone.name: .closed,
        HouseholdRules.name: .closed, HouseholdGone.name: .closed, UsageCopies.name: .closed,
        UsageLinks.name: .closed, HouseholdRenew.name: .closed, HouseholdAccounts.name: .closed,
        HouseholdLeave.name: .closed,
        HouseholdRekey.name: .closed,
        LinkRenew.name: .closed,
        LinkShow.name: .closed, LinkJoin.name: .closed, LinkLeave.name: .closed,
        // The other machine identifies the person by their passcode.
        LinkMachines.name: .grown, LinkAsk.name: .open,
    ]

    /// The routes of desktop-agent, which account-door does not serve.
    private static let agents: [String: Restriction] = [DesktopStatus.name: .guardian]

    /// Returns true if only desktop-agent may send this request.
    package static func isAgents(_ route: String) -> Bool { ways[route] == .seen }

    /// Returns true if a person may send this request from another machine. Observations of agents and requests between services
    /// stay on their machine.
    package static func isRemoteRoute(_ route: String) -> Bool {
        switch ways[route] ?? agents[route] ?? .closed {
        case .open, .own, .rows, .members, .thing, .below, .guardian: route != LinkAsk.name
        case .grown, .seen, .imported, .events, .closed: false
        }
    }

    /// Checks a request and returns the body to forward.
    ///
    /// The body is encoded again from the parsed request. Otherwise a service could read a repeated name differently from this
    /// check.
    package static func admit(_ route: String, _ body: [UInt8], for person: DoorPerson) throws(Problem)
        -> [UInt8]
    {
        var request: [String: JSONValue]
        do {
            guard case .object(let members) = try JSONValue(text: body) else { throw unreadable }
            request = members
        } catch {
            throw unreadable
        }
        if person.role == .child, hasPasscode(request, route) { throw passcodeElsewhere }
        switch ways[route] ?? agents[route] ?? .closed {
        case .open, .thing: break
        case .own: try own("member", request: &request, person: person)
        case .rows:
            if !person.seesAll { try own("member", request: &request, person: person) }
        case .members:
            if !person.seesAll { try restrictToOwnRules(&request, person) }
        case .seen: try restrictToVisible(&request, person)
        case .below(let name):
            guard case .object(var inner)? = request[name] else { break }
            try own("member", request: &inner, person: person)
            request[name] = .object(inner)
        case .imported:
            try own("member", request: &request, person: person)
            for name in ["rows", "notifications"] { try each(name, request: request, person: person) }
        case .events: try events(request, person)
        case .guardian where person.seesAll: break
        case .grown where person.role != .child: try own("member", request: &request, person: person)
        case .guardian, .grown:
            throw Problem(
                "access.guardian_only",
                "Only a guardian can do that, from their own account.",
                details: ["route": route]
            )
        case .closed:
            throw Problem(
                "access.administrator_only",
                "Screen Time is protected here, so only the administrator of this computer can do that.",
                help: "sudo screentime …",
                details: ["route": route]
            )
        }
        return JSONValue.object(request).text
    }

    /// Returns true if the request contains a passcode that a child's account must not send. A child may set their own with
    /// `MemberPasscode`.
    private static func hasPasscode(_ request: [String: JSONValue], _ route: String) -> Bool {
        let own = route == MemberPasscode.name ? nil : request["passcode"]?.string
        return own != nil || request["proof"]?["passcode"]?.string != nil
    }

    /// Replaces a problem that would make a program in a child's account prompt for a passcode, which other programs could record.
    package static func refusal(_ problem: Problem, for person: DoorPerson) -> Problem {
        let asksForPasscode = ["auth.proof_needed", "auth.who_proves"].contains(problem.code)
        return person.role == .child && asksForPasscode ? passcodeElsewhere : problem
    }

    private static let passcodeElsewhere = Problem(
        "access.passcode_elsewhere",
        """
        Screen Time does not accept a guardian's passcode in a child's account, because other programs \
        could record it. A guardian can decide in their own account or on their phone.
        """,
        help: "screentime request add APP 15m"
    )

    private static let unreadable = Problem(
        "body.not_an_object",
        "The body must be a JSON object, such as {}."
    )

    private static func otherMemberProblem(_ field: String) -> Problem {
        Problem(
            "access.not_yours",
            """
            From this account, a person can access only their own data. A guardian can also access the data \
            of others.
            """,
            key: "access.not_yours.from-this-account",
            field: field
        )
    }

    private static func own(_ name: String, request: inout [String: JSONValue], person: DoorPerson)
        throws(Problem)
    {
        switch request[name] ?? .null {
        case .null: request[name] = .string(person.member)
        case .string(let member) where person.canSee(member): break
        default: throw otherMemberProblem("/" + name)
        }
    }

    private static func restrictToOwnRules(_ request: inout [String: JSONValue], _ person: DoorPerson)
        throws(Problem)
    {
        switch request["members"] ?? .null {
        case .null: request["members"] = [.string(person.member)]
        case .array(let members) where members == [.string(person.member)]: break
        default: throw otherMemberProblem("/members")
        }
    }

    private static func each(_ name: String, request: [String: JSONValue], person: DoorPerson)
        throws(Problem)
    {
        guard case .array(let rows)? = request[name] else { return }
        for row in rows where row["member"]?.string.map(person.canSee) != true {
            throw otherMemberProblem("/\(name)/member")
        }
    }

    /// Checks that all observations are of the account's own member, also for guardians.
    ///
    /// Appends the account to the agent's name, so that the agents of different accounts have separate places in the ledger.
    private static func restrictToVisible(_ request: inout [String: JSONValue], _ person: DoorPerson)
        throws(Problem)
    {
        guard case .array(let observations)? = request["observations"] else { return }
        for seen in observations where seen["member"]?.string != person.member {
            throw otherMemberProblem("/observations/member")
        }
        if let agent = request["agent"]?.string { request["agent"] = .string("\(agent)@\(person.account)") }
    }

    private static func events(_ request: [String: JSONValue], _ person: DoorPerson) throws(Problem) {
        guard let stream = request["stream"]?.string, DoorEvents.isOpen(StreamName(stream), to: person) else {
            throw Problem(
                "access.guardian_only",
                "Only a guardian can read these events.",
                key: "access.guardian_only.these-events-are",
                field: "/stream"
            )
        }
    }
}
