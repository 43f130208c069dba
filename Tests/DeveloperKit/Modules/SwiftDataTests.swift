import Foundation
import STPlatform
import STTestSupport
import SwiftData
import Testing

/// The code that `@Model` generates for a class, written by hand. LabBuildTests tests the macro itself.
final class Shelf: PersistentModel {
    var name: String {
        get { backing.get("name") }
        set { backing.set("name", newValue, of: self) }
    }
    var weight: Int {
        get { backing.get("weight", default: 1) }
        set { backing.set("weight", newValue, of: self) }
    }
    var note: String? {
        get { backing.get("note", default: nil) }
        set { backing.set("note", newValue, of: self) }
    }
    var share: Double {
        get { backing.get("share", default: 0) }
        set { backing.set("share", newValue, of: self) }
    }
    var books: [Volume] {
        get { backing.get("books", default: []) }
        set { backing.set("books", newValue, of: self) }
    }

    private let backing: ModelBacking

    var persistentBackingData: ModelBacking { backing }
    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            .init("name", \Shelf.name, Schema.Attribute(.unique)), .init("weight", \Shelf.weight),
            .init("note", \Shelf.note), .init("share", \Shelf.share),
            .init("books", \Shelf.books, Schema.Relationship(deleteRule: .cascade)),
        ]
    }

    init(persistentBackingData: ModelBacking) { backing = persistentBackingData }

    init(_ name: String) {
        backing = ModelBacking(Shelf.self)
        backing.set("name", name)
        backing.set("weight", 1)
    }
}

final class Volume: PersistentModel {
    var title: String {
        get { backing.get("title") }
        set { backing.set("title", newValue, of: self) }
    }
    var shelf: Shelf? {
        get { backing.get("shelf", default: nil) }
        set { backing.set("shelf", newValue, of: self) }
    }

    private let backing: ModelBacking

    var persistentBackingData: ModelBacking { backing }
    static var schemaMetadata: [Schema.PropertyMetadata] {
        [.init("title", \Volume.title), .init("shelf", \Volume.shelf)]
    }

    init(persistentBackingData: ModelBacking) { backing = persistentBackingData }

    init(_ title: String, on shelf: Shelf? = nil) {
        backing = ModelBacking(Volume.self)
        backing.set("title", title)
        backing.set("shelf", shelf)
    }
}

@Suite("The store of SwiftData")
struct SwiftDataTests {
    private let scratch: ScratchDirectory
    private let url: URL

    init() throws {
        scratch = try ScratchDirectory()
        url = URL(filePath: scratch.file("models.store"))
    }

    private func container() throws -> ModelContainer {
        try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(url: url))
    }

    private func names(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Shelf>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    @Test("Saved models are available to other contexts, unsaved ones are not, and rollback discards changes")
    func saved() throws {
        let context = ModelContext(try container())
        let shelf = Shelf("a")
        context.insert(shelf)
        shelf.note = "“quotes”\n\u{0} and more"
        shelf.share = .nan
        #expect(context.hasChanges && shelf.hasChanges)
        #expect(try names(context) == ["a"])
        let other = ModelContext(try container())
        #expect(try names(other) == [])
        try context.save()
        #expect(!context.hasChanges)
        let found = try #require(try other.fetch(FetchDescriptor<Shelf>()).first)
        #expect(found.share.isNaN)
        #expect(found.note == shelf.note && found.persistentModelID == shelf.persistentModelID)
        found.weight = 7
        other.rollback()
        #expect(found.weight == 1 && !other.hasChanges)
        found.weight = 8
        try other.save()
        #expect(try context.fetch(FetchDescriptor<Shelf>()).first === shelf && shelf.weight == 8)
        let text = "b"
        context.insert(Shelf(text))
        let search = FetchDescriptor<Shelf>(predicate: #Predicate { $0.name == text && $0.weight < 5 })
        #expect(try context.fetch(search).map(\.name) == ["b"])
        #expect(try other.fetchCount(search) == 0)
    }

    @Test(
        "A relationship is consistent from both sides, and deletion follows its delete rule"
    )
    func related() throws {
        let context = ModelContext(try container())
        let (one, two) = (Shelf("one"), Shelf("two"))
        context.insert(one)
        context.insert(two)
        let book = Volume("b", on: one)
        context.insert(book)
        #expect(one.books.map(\.title) == ["b"])
        two.books.append(book)
        #expect(book.shelf === two && one.books.isEmpty)
        let last = Volume("c")
        last.shelf = two
        #expect(last.modelContext === context)
        #expect(Set(two.books.map(\.title)) == ["b", "c"])
        try context.save()
        let other = ModelContext(try container())
        let found = try other.fetch(FetchDescriptor<Volume>(sortBy: [SortDescriptor(\.title)]))
        #expect(found.map { $0.shelf?.name } == ["two", "two"])
        #expect(found[0].shelf === found[1].shelf)
        other.delete(try #require(found[0].shelf))
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<Volume>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Volume>()) == 0)
    }

    @Test("A unique value can move from one model to another, and saving it twice updates the stored model")
    func unique() throws {
        let context = ModelContext(try container())
        let (one, two) = (Shelf("x"), Shelf("y"))
        for shelf in [one, two] { context.insert(shelf) }
        one.weight = 1
        two.weight = 2
        try context.save()
        // A renamed model, whose old name a new model takes.
        one.name = "z"
        context.insert(Shelf("x"))
        try context.save()
        #expect(try names(context) == ["x", "y", "z"])
        (one.name, two.name) = ("y", "z")
        try context.save()
        let other = ModelContext(try container())
        func weights() throws -> [String: Int] {
            Dictionary(
                uniqueKeysWithValues: try other.fetch(FetchDescriptor<Shelf>()).map { ($0.name, $0.weight) }
            )
        }
        #expect(try weights() == ["x": 1, "y": 1, "z": 2])
        // A stored model that takes another's unique value replaces it with all its properties.
        two.note = "kept"
        two.name = "x"
        try context.save()
        #expect(try weights() == ["x": 2, "y": 1])
        #expect(try other.fetch(FetchDescriptor<Shelf>()).first { $0.name == "x" }?.note == "kept")
        // A replacement within one save, in either order.
        let three = Shelf("y")
        context.insert(three)
        context.delete(one)
        try context.save()
        #expect(try weights() == ["x": 2, "y": 1])
        #expect(try context.fetch(FetchDescriptor<Shelf>()).contains { $0 === three })
    }

    @Test("A model that another context deleted stays deleted, and a deleted model can be inserted again")
    func deleted() throws {
        let (context, other) = (ModelContext(try container()), ModelContext(try container()))
        let shelf = Shelf("a")
        context.insert(shelf)
        try context.save()
        for found in try other.fetch(FetchDescriptor<Shelf>()) { other.delete(found) }
        try other.save()
        shelf.weight = 9
        try context.save()
        #expect(try names(other) == [])
        let again = Shelf("b")
        for _ in 0..<2 {
            context.insert(again)
            try context.save()
            #expect(try names(other) == ["b"])
            context.delete(again)
            try context.save()
            #expect(try names(other) == [])
        }
        context.insert(again)
        context.delete(again)
        context.insert(again)
        try context.save()
        #expect(try names(other) == ["b"])
    }

    @Test("Two contexts that add to one list lose no entry, and a removed entry stays removed")
    func lists() throws {
        let context = ModelContext(try container())
        context.insert(Shelf("a"))
        try context.save()
        let contexts = [context, ModelContext(try container())]
        let shelves = try contexts.map { try #require(try $0.fetch(FetchDescriptor<Shelf>()).first) }
        for (index, shelf) in shelves.enumerated() { shelf.books.append(Volume("\(index)")) }
        for context in contexts { try context.save() }
        func titles() throws -> Set<String> {
            let shelf = try ModelContext(try container()).fetch(FetchDescriptor<Shelf>()).first
            return Set(shelf?.books.map(\.title) ?? [])
        }
        #expect(try titles() == ["0", "1"])
        shelves[0].books = []
        try contexts[0].save()
        #expect(try titles() == ["1"])
        let late = Volume("late")
        late.shelf = shelves[1]
        try contexts[1].save()
        #expect(try titles() == ["1", "late"])
    }

    @Test("Several tasks can open a new store simultaneously", arguments: 0..<20)
    func opened(_ round: Int) async throws {
        let url = URL(filePath: scratch.file("round-\(round).store"))
        let opened = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (try? ModelContainer(for: Shelf.self, configurations: ModelConfiguration(url: url)))
                        != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(opened == 4)
    }

    @Test("A read-only store can be read, a missing one is empty, and saving to it throws")
    func readOnly() throws {
        let empty = ModelContext(
            try ModelContainer(
                for: Shelf.self,
                configurations: ModelConfiguration(url: url, allowsSave: false)
            )
        )
        #expect(try names(empty) == [])
        let context = ModelContext(try container())
        context.insert(Shelf("a"))
        try context.save()
        let reader = ModelContext(
            try ModelContainer(
                for: Shelf.self,
                configurations: ModelConfiguration(url: url, allowsSave: false)
            )
        )
        #expect(try names(reader) == ["a"])
        reader.insert(Shelf("b"))
        #expect(throws: SwiftDataError.self) { try reader.save() }
        try scratch.write("this is no store, but long enough to be looked at as one", to: "models.store")
        #expect(throws: SwiftDataError.self) { try container() }
    }

    @Test("Random changes by two contexts have the same result as a dictionary", arguments: 0..<4)
    func random(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let contexts = [ModelContext(try container()), ModelContext(try container())]
        var truth: [String: Int] = [:]
        for step in 0..<80 {
            let context = contexts[step % 2]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let name = "n\(Int.random(in: 0..<12, using: &random))"
                let weight = Int.random(in: -5...5, using: &random)
                let known = try context.fetch(
                    FetchDescriptor<Shelf>(predicate: #Predicate { $0.name == name })
                )
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1:
                    let shelf = Shelf(name)
                    shelf.weight = weight
                    context.insert(shelf)
                    truth[name] = weight
                case 2:
                    // Renames the model if the new name is free.
                    let free = "n\(Int.random(in: 0..<12, using: &random))"
                    guard truth[free] == nil, let shelf = known.first, known.count == 1 else { continue }
                    shelf.name = free
                    truth[free] = truth.removeValue(forKey: name)
                case 3:
                    for shelf in known { shelf.weight = weight }
                    if !known.isEmpty { truth[name] = weight }
                default:
                    for shelf in known { context.delete(shelf) }
                    truth[name] = nil
                }
            }
            try context.save()
            for context in contexts {
                let all = try context.fetch(FetchDescriptor<Shelf>()).map { ($0.name, $0.weight) }
                #expect(Dictionary(all) { _, _ in .min } == truth, "step \(step)")
            }
        }
    }
}
