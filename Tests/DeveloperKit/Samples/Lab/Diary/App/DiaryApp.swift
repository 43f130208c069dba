import SwiftData
import SwiftUI

@main
struct DiaryApp: App {
    var body: some Scene { WindowGroup { Text("Diary") }.modelContainer(for: Entry.self) }
}
