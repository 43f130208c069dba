/// The routes, streams and events of all services. `bus.describe`, the AsyncAPI document, the command and the tests use this list.
package enum Catalogue {
    package struct Entry: Sendable {
        package var service: ServiceName
        package var purpose: String
        package var routes: [RouteInfo]
        package var streams: [StreamName]
        package var events: [EventInfo]

        fileprivate init(
            _ service: ServiceName,
            _ purpose: String,
            routes: [any Route.Type],
            streams: [StreamName] = [],
            events: [any EventType.Type] = []
        ) {
            self.service = service
            self.purpose = purpose
            self.routes = routes.map { RouteInfo($0) }
            self.streams = streams + [.history(of: service)]
            self.events = events.map { EventInfo($0) } + [EventInfo(historyOf: service)]
        }
    }

    /// The routes that every service serves.
    package static let common: [RouteInfo] = routes.map { RouteInfo($0) }
    private static let routes: [any Route.Type] = [
        HealthPing.self, HealthReport.self, BusDescribe.self, EventsSince.self, EventsSnapshot.self,
        DataBackup.self, DataCheck.self, ClockStatus.self, ClockTurn.self,
    ]

    package static let entries: [Entry] = [
        auth, activity, monitor, shield, report, notifier, desktop, household, link,
    ]

    package static func entry(_ service: ServiceName) -> Entry? { entries.first { $0.service == service } }

    /// Returns the service that serves a route. Returns `nil` for the routes that every service serves.
    package static func owner(ofRoute name: String) -> ServiceName? {
        entries.first { $0.routes.contains { $0.name == name } }?.service
    }

    package static func owner(ofStream stream: StreamName) -> ServiceName? {
        entries.first { $0.streams.contains(stream) }?.service
    }

    static let auth = Entry(
        .auth,
        "members of the household, apps, and what members let apps do",
        routes: [
            MemberList.self, MemberAdd.self, MemberSet.self, MemberRemove.self, MemberShow.self,
            MemberPasscode.self, AuthStatus.self, AuthRequest.self, AuthQuestionShow.self, AuthAnswer.self,
            AuthRevoke.self, AuthSwitch.self, AuthCheck.self, AuthProve.self, AuthorizationList.self,
            AuthNotices.self, AppInstall.self, AppList.self, AppRemove.self, TokenIssue.self,
            TokenResolve.self, TokenRekey.self,
        ],
        streams: [.authorization],
        events: [
            MemberAdded.self, MemberRemoved.self, DeviceRegistered.self, AuthorizationChanged.self,
            AuthQuestionChanged.self, AuthorizationNoticed.self, TokensRekeyed.self, AppInstalled.self,
            AppRemoved.self,
        ]
    )

    static let activity = Entry(
        .activity,
        "the ledger of use, what is watched in it, and built-in rules",
        routes: [
            UsageObserve.self, UsageList.self, UsageSegment.self, UsageNow.self, UsagePreview.self,
            UsageVerify.self, UsageForget.self, UsageNotifications.self, UsageImport.self,
            RemoteUsageRoute.self, UsageCopies.self, UsageLinks.self, UsageAcceptClock.self,
            HistoryList.self, HistoryAcceptLoss.self, ActivityStart.self, ActivityStop.self,
            ActivityList.self, ActivityShow.self, ActivityEvents.self, ActivityPreview.self,
            ActivityExplain.self, CategorySet.self, CategoryFollow.self, CategoryList.self,
            CategoryFacts.self, CategoryListAdd.self, CategoryListRemove.self, RuleAdd.self, RuleEdit.self,
            RuleList.self, RuleRemove.self, RulePause.self, RuleDelay.self, RuleFollow.self,
        ],
        streams: [.usage, .activity, .decision],
        events: [
            SegmentOpened.self, SegmentClosed.self, SegmentRedacted.self, UsageForgotten.self,
            UsageNotified.self, DeviceImported.self, IntervalStarted.self, IntervalEnded.self,
            IntervalWillStart.self, IntervalWillEnd.self, ThresholdReached.self, ThresholdReturned.self,
            ThresholdWarning.self, MonitoringStarted.self, MonitoringStopped.self, EvidenceForgotten.self,
            SubjectKnown.self, DomainListKnown.self, RuleDecided.self, RuleAllowed.self,
        ]
    )

    /// Returns the routes that a service forwards to another service (`ServiceRoute.forward`).
    ///
    /// Only link-service sends `rule.follow`, so that route is not forwarded.
    package static func forwarded(by service: ServiceName) -> [RouteInfo] {
        guard service == .monitor else { return [] }
        return activity.routes.filter { $0.name.hasPrefix("rule.") && $0.name != RuleFollow.name }
    }

    static let monitor = Entry(
        .monitor,
        "callbacks to extensions",
        routes: [
            MonitorDeliveries.self, MonitorDelivery.self, MonitorRetry.self, MonitorLog.self,
            MonitorDebug.self,
        ],
        streams: [.delivery],
        events: [DeliveryChanged.self]
    )

    static let shield = Entry(
        .shield,
        "named stores of settings, shields, and requests for more time",
        routes: [
            SettingsGet.self, SettingsSet.self, SettingsClear.self, SettingsDelete.self, SettingsList.self,
            SettingsEffective.self, ShieldDecide.self, ShieldConfigurationAsk.self, ShieldShow.self,
            ShieldPress.self, ShieldList.self, ShieldExplain.self, ShieldAllowed.self, ShieldLog.self,
            RequestAdd.self, RequestList.self, RequestApprove.self, RequestGrant.self, RequestDeny.self,
            RequestRevoke.self, RequestFollow.self, RequestRuleFollow.self, RequestCode.self,
            RequestCodeSetup.self, RequestRuleShow.self, RequestRuleSet.self,
        ],
        streams: [.policy, .shield],
        events: [
            PolicyStoreChanged.self, PolicyAllowedChanged.self, PolicyGrantChanged.self, ShieldShown.self,
            ShieldRedacted.self, RequestChanged.self,
        ]
    )

    static let report = Entry(
        .report,
        "use by hours, days and weeks, and the reports that apps make of it",
        routes: [
            ReportDay.self, ReportUsage.self, ReportCoverage.self, ReportData.self, ReportRender.self,
            ReportPiece.self, ReportContexts.self, ReportRebuild.self, ReportLog.self,
        ]
    )

    static let notifier = Entry(
        .notifier,
        "what people read",
        routes: [
            NotifyPost.self, NotifyList.self, NotifyWithdraw.self, NotifyRequest.self, NotifyAnswer.self,
            NotifyShown.self,
        ],
        streams: [.notification],
        events: [
            NotificationPosted.self, NotificationChanged.self,
        ]
    )

    static let desktop = Entry(
        .desktop,
        "what is in front on this desktop, and the shields over it",
        routes: [
            DesktopStatus.self, DesktopPlay.self, DesktopDoctor.self, DesktopWindows.self,
            DesktopCatalogue.self, DesktopShields.self, BrowserReport.self,
        ]
    )

    static let household = Entry(
        .household,
        "the machines of one household, and what its people used on each",
        routes: [
            HouseholdShow.self, HouseholdSums.self, HouseholdStart.self, HouseholdInvite.self,
            HouseholdToken.self, HouseholdConfirm.self, HouseholdTrust.self, HouseholdRemove.self,
            HouseholdJoin.self, HouseholdPush.self, HouseholdPull.self, HouseholdPost.self,
            HouseholdMachines.self, HouseholdRules.self, HouseholdRequests.self, HouseholdPhone.self,
            HouseholdGone.self, HouseholdRenew.self, HouseholdAccounts.self, HouseholdLeave.self,
            HouseholdRekey.self,
        ]
    )

    static let link = Entry(
        .link,
        "this machine's connection with its household",
        routes: [
            LinkShow.self, LinkJoin.self, LinkLeave.self, LinkRenew.self, LinkMachines.self, LinkAsk.self,
        ]
    )
}
