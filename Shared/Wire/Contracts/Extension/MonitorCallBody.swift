/// What a monitor's callback is told: names only, as Apple's are.
package struct MonitorCallBody: WireBody, Codable, Equatable {
    package var activity: String
    package var event: String?

    package init(activity: String, event: String? = nil) {
        self.activity = activity
        self.event = event
    }
}
