/// Who answers and publishes what: the one list that describe, AsyncAPI, the command and the tests read.
package enum Catalogue {
    package struct Entry: Sendable {
        package var service: ServiceName
        package var purpose: String
        package var routes: [RouteInfo]
        package var streams: [StreamName]
        package var events: [EventInfo]
    }

    /// Answered by every service.
    package static let common: [RouteInfo] = [
        RouteInfo(HealthPing.self), RouteInfo(HealthReport.self), RouteInfo(BusDescribe.self),
        RouteInfo(EventsSince.self), RouteInfo(EventsSnapshot.self), RouteInfo(DataBackup.self),
        RouteInfo(DataCheck.self),
        RouteInfo(ClockStatus.self), RouteInfo(ClockTurn.self),
    ]

    package static let entries: [Entry] = [
        auth, activity, monitor, shield, report, notifier, desktop, household, link,
    ].map {
        entry in
        var entry = entry
        entry.streams.append(.history(of: entry.service))
        entry.events.append(EventInfo(historyOf: entry.service))
        return entry
    }

    package static func entry(_ service: ServiceName) -> Entry? { entries.first { $0.service == service } }

    /// The service that answers a route, when only one does.
    package static func owner(ofRoute name: String) -> ServiceName? {
        entries.first { $0.routes.contains { $0.name == name } }?.service
    }

    package static func owner(ofStream stream: StreamName) -> ServiceName? {
        entries.first { $0.streams.contains(stream) }?.service
    }

    static let auth = Entry(
        service: .auth,
        purpose: "members of the household, apps, and what members let apps do",
        routes: [
            RouteInfo(MemberList.self),
            RouteInfo(MemberAdd.self),
            RouteInfo(MemberSet.self),
            RouteInfo(MemberRemove.self),
            RouteInfo(MemberShow.self),
            RouteInfo(MemberPasscode.self),
            RouteInfo(AuthStatus.self),
            RouteInfo(AuthRequest.self),
            RouteInfo(AuthQuestionShow.self),
            RouteInfo(AuthAnswer.self),
            RouteInfo(AuthRevoke.self),
            RouteInfo(AuthSwitch.self),
            RouteInfo(AuthCheck.self),
            RouteInfo(AuthProve.self),
            RouteInfo(AuthorizationList.self),
            RouteInfo(AuthNotices.self),
            RouteInfo(AppInstall.self),
            RouteInfo(AppList.self),
            RouteInfo(AppRemove.self),
            RouteInfo(TokenIssue.self),
            RouteInfo(TokenResolve.self),
            RouteInfo(TokenRekey.self),
        ],
        streams: [.authorization],
        events: [
            EventInfo(MemberAdded.self),
            EventInfo(MemberRemoved.self),
            EventInfo(DeviceRegistered.self),
            EventInfo(AuthorizationChanged.self),
            EventInfo(AuthQuestionChanged.self),
            EventInfo(AuthorizationNoticed.self),
            EventInfo(TokensRekeyed.self),
            EventInfo(AppInstalled.self),
            EventInfo(AppRemoved.self),
        ]
    )

    static let activity = Entry(
        service: .activity,
        purpose: "the ledger of use, what is watched in it, and built-in rules",
        routes: [
            RouteInfo(UsageObserve.self),
            RouteInfo(UsageList.self),
            RouteInfo(UsageSegment.self),
            RouteInfo(UsageNow.self),
            RouteInfo(UsagePreview.self),
            RouteInfo(UsageVerify.self),
            RouteInfo(UsageForget.self),
            RouteInfo(UsageNotifications.self),
            RouteInfo(UsageImport.self),
            RouteInfo(UsageElsewhere.self),
            RouteInfo(UsageCopies.self),
            RouteInfo(UsageLinks.self),
            RouteInfo(UsageAcceptClock.self),
            RouteInfo(HistoryList.self),
            RouteInfo(HistoryAcceptLoss.self),
            RouteInfo(ActivityStart.self),
            RouteInfo(ActivityStop.self),
            RouteInfo(ActivityList.self),
            RouteInfo(ActivityShow.self),
            RouteInfo(ActivityEvents.self),
            RouteInfo(ActivityPreview.self),
            RouteInfo(ActivityExplain.self),
            RouteInfo(CategorySet.self), RouteInfo(CategoryFollow.self),
            RouteInfo(CategoryList.self),
            RouteInfo(CategoryFacts.self),
            RouteInfo(CategoryListAdd.self),
            RouteInfo(CategoryListRemove.self),
            RouteInfo(RuleAdd.self),
            RouteInfo(RuleEdit.self),
            RouteInfo(RuleList.self),
            RouteInfo(RuleRemove.self),
            RouteInfo(RulePause.self),
            RouteInfo(RuleDelay.self),
            RouteInfo(RuleFollow.self),
        ],
        streams: [.usage, .activity, .decision],
        events: [
            EventInfo(SegmentOpened.self),
            EventInfo(SegmentClosed.self),
            EventInfo(SegmentRedacted.self),
            EventInfo(UsageForgotten.self),
            EventInfo(UsageNotified.self),
            EventInfo(DeviceImported.self),
            EventInfo(IntervalStarted.self),
            EventInfo(IntervalEnded.self),
            EventInfo(IntervalWillStart.self),
            EventInfo(IntervalWillEnd.self),
            EventInfo(ThresholdReached.self),
            EventInfo(ThresholdReturned.self),
            EventInfo(ThresholdWarning.self),
            EventInfo(MonitoringStarted.self),
            EventInfo(MonitoringStopped.self),
            EventInfo(EvidenceForgotten.self),
            EventInfo(SubjectKnown.self),
            EventInfo(DomainListKnown.self),
            EventInfo(RuleDecided.self),
            EventInfo(RuleAllowed.self),
        ]
    )

    /// Routes that a service forwards to another service (`ServiceRoute.forward`).
    ///
    /// Only link-service sends `rule.follow`, so that route is not forwarded.
    package static func forwarded(by service: ServiceName) -> [RouteInfo] {
        guard service == .monitor else { return [] }
        return activity.routes.filter { $0.name.hasPrefix("rule.") && $0.name != RuleFollow.name }
    }

    static let monitor = Entry(
        service: .monitor,
        purpose: "callbacks to extensions",
        routes: [
            RouteInfo(MonitorDeliveries.self),
            RouteInfo(MonitorDelivery.self),
            RouteInfo(MonitorRetry.self),
            RouteInfo(MonitorLog.self),
            RouteInfo(MonitorDebug.self),
        ],
        streams: [.delivery],
        events: [EventInfo(DeliveryChanged.self)]
    )

    static let shield = Entry(
        service: .shield,
        purpose: "named stores of settings, shields, and requests for more time",
        routes: [
            RouteInfo(SettingsGet.self),
            RouteInfo(SettingsSet.self),
            RouteInfo(SettingsClear.self),
            RouteInfo(SettingsDelete.self),
            RouteInfo(SettingsList.self),
            RouteInfo(SettingsEffective.self),
            RouteInfo(ShieldDecide.self),
            RouteInfo(ShieldConfigurationAsk.self),
            RouteInfo(ShieldShow.self),
            RouteInfo(ShieldPress.self),
            RouteInfo(ShieldList.self),
            RouteInfo(ShieldExplain.self),
            RouteInfo(ShieldAllowed.self),
            RouteInfo(ShieldLog.self),
            RouteInfo(RequestAdd.self),
            RouteInfo(RequestList.self),
            RouteInfo(RequestApprove.self),
            RouteInfo(RequestGrant.self),
            RouteInfo(RequestDeny.self),
            RouteInfo(RequestRevoke.self), RouteInfo(RequestFollow.self), RouteInfo(RequestRuleFollow.self),
            RouteInfo(RequestCode.self),
            RouteInfo(RequestCodeSetup.self),
            RouteInfo(RequestRuleShow.self),
            RouteInfo(RequestRuleSet.self),
        ],
        streams: [.policy, .shield],
        events: [
            EventInfo(PolicyStoreChanged.self),
            EventInfo(PolicyAllowedChanged.self),
            EventInfo(PolicyGrantChanged.self),
            EventInfo(ShieldShown.self),
            EventInfo(ShieldRedacted.self),
            EventInfo(RequestChanged.self),
        ]
    )

    static let report = Entry(
        service: .report,
        purpose: "use by hours, days and weeks, and the reports that apps make of it",
        routes: [
            RouteInfo(ReportDay.self),
            RouteInfo(ReportUsage.self),
            RouteInfo(ReportCoverage.self),
            RouteInfo(ReportData.self),
            RouteInfo(ReportRender.self),
            RouteInfo(ReportPiece.self),
            RouteInfo(ReportContexts.self),
            RouteInfo(ReportRebuild.self),
            RouteInfo(ReportLog.self),
        ],
        streams: [],
        events: []
    )

    static let notifier = Entry(
        service: .notifier,
        purpose: "what people read",
        routes: [
            RouteInfo(NotifyPost.self),
            RouteInfo(NotifyList.self),
            RouteInfo(NotifyWithdraw.self),
            RouteInfo(NotifyRequest.self),
            RouteInfo(NotifyAnswer.self),
            RouteInfo(NotifyShown.self),
        ],
        streams: [.notification],
        events: [
            EventInfo(NotificationPosted.self),
            EventInfo(NotificationChanged.self),
        ]
    )

    static let desktop = Entry(
        service: .desktop,
        purpose: "what is in front on this desktop, and the shields over it",
        routes: [
            RouteInfo(DesktopStatus.self),
            RouteInfo(DesktopPlay.self),
            RouteInfo(DesktopDoctor.self),
            RouteInfo(DesktopWindows.self),
            RouteInfo(DesktopCatalogue.self),
            RouteInfo(DesktopShields.self),
            RouteInfo(BrowserTell.self),
        ],
        streams: [],
        events: []
    )

    static let household = Entry(
        service: .household,
        purpose: "the machines of one household, and what its people used on each",
        routes: [
            RouteInfo(HouseholdShow.self),
            RouteInfo(HouseholdSums.self),
            RouteInfo(HouseholdStart.self),
            RouteInfo(HouseholdInvite.self),
            RouteInfo(HouseholdToken.self),
            RouteInfo(HouseholdConfirm.self),
            RouteInfo(HouseholdTrust.self),
            RouteInfo(HouseholdRemove.self),
            RouteInfo(HouseholdJoin.self),
            RouteInfo(HouseholdPush.self),
            RouteInfo(HouseholdPull.self),
            RouteInfo(HouseholdPost.self),
            RouteInfo(HouseholdMachines.self),
            RouteInfo(HouseholdRules.self), RouteInfo(HouseholdRequests.self), RouteInfo(HouseholdPhone.self),
            RouteInfo(HouseholdGone.self),
            RouteInfo(HouseholdRenew.self), RouteInfo(HouseholdAccounts.self), RouteInfo(HouseholdLeave.self),
            RouteInfo(HouseholdRekey.self),
        ],
        streams: [],
        events: []
    )

    static let link = Entry(
        service: .link,
        purpose: "this machine's connection with its household",
        routes: [
            RouteInfo(LinkShow.self),
            RouteInfo(LinkJoin.self),
            RouteInfo(LinkLeave.self),
            RouteInfo(LinkRenew.self),
            RouteInfo(LinkMachines.self),
            RouteInfo(LinkAsk.self),
        ],
        streams: [],
        events: []
    )
}
