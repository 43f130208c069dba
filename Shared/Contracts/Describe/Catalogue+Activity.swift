extension Catalogue {
    static let activity = Entry(
        service: .activity,
        purpose: "the ledger of use, and what is watched in it",
        routes: [
            RouteInfo(UsageObserve.self),
            RouteInfo(UsageList.self),
            RouteInfo(UsageNow.self),
            RouteInfo(UsagePreview.self),
            RouteInfo(UsageVerify.self),
            RouteInfo(UsageForget.self),
            RouteInfo(ActivityStart.self),
            RouteInfo(ActivityStop.self),
            RouteInfo(ActivityList.self),
            RouteInfo(ActivityShow.self),
            RouteInfo(ActivityEvents.self),
            RouteInfo(ActivityPreview.self),
            RouteInfo(ActivityExplain.self),
            RouteInfo(CategorySet.self),
            RouteInfo(CategoryList.self),
        ],
        streams: [.usage, .activity],
        events: [
            EventInfo(SegmentOpened.self),
            EventInfo(SegmentClosed.self),
            EventInfo(SegmentRedacted.self),
            EventInfo(UsageForgotten.self),
            EventInfo(IntervalStarted.self),
            EventInfo(IntervalEnded.self),
            EventInfo(IntervalWillStart.self),
            EventInfo(IntervalWillEnd.self),
            EventInfo(ThresholdReached.self),
            EventInfo(ThresholdWarning.self),
            EventInfo(MonitoringStarted.self),
            EventInfo(MonitoringStopped.self),
            EventInfo(EvidenceForgotten.self),
        ]
    )
}
