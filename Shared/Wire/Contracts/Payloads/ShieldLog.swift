package enum ShieldLog: Route {
    package typealias Request = MonitorLog.Request

    package typealias Reply = MonitorLog.Reply

    package static let name = "shield.log"
    package static let kind = RouteKind.query
    package static let summary = "What an app's shield extensions wrote, oldest first."
}
