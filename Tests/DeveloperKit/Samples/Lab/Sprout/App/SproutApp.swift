import SwiftUI

@main
struct SproutApp: App {
    var body: some Scene { WindowGroup { Text("Sprout") } }
}
