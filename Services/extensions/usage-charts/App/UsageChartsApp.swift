import SwiftUI

struct UsageChartsApp: App {
    var body: some Scene {
        WindowGroup {
            ChartsPage()
        }
    }
}
