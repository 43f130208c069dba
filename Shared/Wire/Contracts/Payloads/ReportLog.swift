package enum ReportLog: Route {
    package typealias Request = MonitorLog.Request

    package typealias Reply = MonitorLog.Reply

    package static let name = "report.log"
    package static let kind = RouteKind.query
    package static let summary = "What an app's report extension wrote, oldest first."
}
