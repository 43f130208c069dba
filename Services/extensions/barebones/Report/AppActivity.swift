import Foundation
import ManagedSettings

/// The use of one app.
struct AppActivity: Identifiable {
    let id: String
    let name: String
    let token: ApplicationToken?
    var duration: TimeInterval
    var pickups: Int
}

/// What the report shows.
struct TotalActivity {
    var duration: TimeInterval = 0
    var pickups = 0
    var apps: [AppActivity] = []
}
