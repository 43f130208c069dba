import SwiftUI

@main
struct QuietApp: App {
    var body: some Scene { WindowGroup { Text("Quiet") } }
}
