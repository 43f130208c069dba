import Foundation
import SwiftData

/// A day. Only one exists for each date.
@Model
final class Day {
    @Attribute(.unique) var date: String
    @Relationship(deleteRule: .cascade, inverse: \Entry.day) var entries: [Entry] = []

    init(date: String) { self.date = date }
}

@Model
final class Entry {
    var id: UUID
    var text: String
    var written: Date
    var minutes = 0
    var day: Day?
    @Transient var isNew = true

    init(_ text: String, on day: Day) {
        self.id = UUID()
        self.text = text
        self.written = .now
        self.day = day
    }
}

enum Book {
    static func open() throws -> ModelContext {
        let place = ModelConfiguration("diary", groupContainer: .identifier("group.dev.example.diary"))
        return ModelContext(try ModelContainer(for: Schema([Day.self, Entry.self]), configurations: [place]))
    }

    static func day(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter.string(from: date)
    }

    /// Writing twice on one day changes the same entry.
    static func write(_ text: String) throws {
        let context = try open()
        let day = Day(date: day(.now))
        context.insert(day)
        let entry = Entry(text, on: day)
        entry.minutes = 30
        context.insert(entry)
        try context.save()
    }

    static func entries(of date: String) throws -> [Entry] {
        var search = FetchDescriptor<Entry>(
            predicate: #Predicate { $0.day?.date == date && $0.minutes >= 30 },
            sortBy: [SortDescriptor(\.written, order: .reverse)]
        )
        search.fetchLimit = 50
        return try open().fetch(search)
    }
}
