import SwiftUI

@main
struct PledgeApp: App {
    var body: some Scene { WindowGroup { Text("Pledge") } }
}
