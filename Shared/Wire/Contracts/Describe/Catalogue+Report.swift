extension Catalogue {
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
}
