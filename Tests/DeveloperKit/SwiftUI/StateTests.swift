import STContracts
import STFoundationTypes
import SwiftUICore
import Testing

@Suite("State of views") @MainActor
struct StateTests {
    private struct Counted: View {
        let name: String
        @State private var count = 0

        var body: some View {
            Text("\(name) \(count)").onAppear { count += name == "b" ? 2 : 1 }
        }
    }

    @Test("Each view keeps its own state between evaluations")
    func own() throws {
        let view = VStack {
            Counted(name: "a")
            Counted(name: "b")
            Counted(name: "a")
        }
        #expect(try Lowered.outline(view) == "vertical(a 1 b 2 a 1)")
    }

    @Test("Rows keep their state by identity")
    func rows() throws {
        #expect(
            try Lowered.outline(VStack { ForEach(["b", "a"], id: \.self) { Counted(name: $0) } })
                == "vertical(b 2 a 1)"
        )
    }

    private struct Chain: View {
        @State private var step = 0

        var body: some View {
            Text("\(step)").onAppear { step = 1 }
                .onChange(of: step) { before, now in if now < 4 { step = before + 2 } }
        }
    }

    @Test("State changes cause further evaluations until there are none")
    func chain() throws { #expect(try Lowered.outline(Chain()) == "4") }

    private struct Restless: View {
        @State private var step = 0

        var body: some View { Text("\(step)").onChange(of: step, initial: true) { step += 1 } }
    }

    @Test("A view whose state never settles is shown after a limited number of evaluations")
    func restless() throws {
        let words = try Lowered.outline(Restless())
        #expect(Int(words).map { (4...20).contains($0) } == true)
    }

    private final class Model: ObservableObject {
        @Published var name = "first"
        static nonisolated(unsafe) var made = 0  // unsafe: read and written by one test.

        init() { Self.made += 1 }
    }

    private struct Owner: View {
        @StateObject private var model = Model()

        var body: some View {
            VStack {
                Text(model.name)
                Child(model: model, name: $model.name)
                Grandchild()
            }
            .environmentObject(model)
        }
    }

    private struct Child: View {
        @ObservedObject var model: Model
        @Binding var name: String

        var body: some View { Text(model.name).onAppear { name = "second" } }
    }

    private struct Grandchild: View {
        @EnvironmentObject var model: Model

        var body: some View { Text("again \(model.name)") }
    }

    @Test("A state object is created once, and bindings and the environment refer to it")
    func objects() throws {
        Model.made = 0
        #expect(try Lowered.outline(Owner()) == "vertical(second second again second)")
        #expect(Model.made == 1)
    }

    @Test("A missing environment object gives a problem")
    func missing() {
        #expect(Lowered.problem(Grandchild()) == "page.no_object")
        #expect(Lowered.problem(NeedsNote()) == "page.no_object")
    }

    private struct NeedsNote: View {
        @Environment(Note.self) private var note
        @Environment(Note.self) private var maybe: Note?

        var body: some View { Text(note.text + (maybe == nil ? "" : "!")) }
    }

    @Test("The environment contains observable objects, custom keys and system values")
    func environment() throws {
        #expect(try Lowered.outline(NeedsNote().environment(Note())) == "note!")
        #expect(try Lowered.outline(Seen(), language: "ko") == "light ko 7 Asia/Seoul")
        #expect(try Lowered.outline(Seen().environment(\.goal, 9), language: "ko") == "light ko 9 Asia/Seoul")
        #expect(
            try Lowered.outline(Seen().preferredColorScheme(.dark), language: "ko") == "dark ko 7 Asia/Seoul"
        )
    }

    private struct Seen: View {
        @Environment(\.colorScheme) var scheme
        @Environment(\.locale) var locale
        @Environment(\.goal) var goal
        @Environment(\.timeZone) var zone

        var body: some View {
            Text(verbatim: "\(scheme) \(locale.identifier) \(goal) \(zone.identifier)")
        }
    }

    private struct Loaded: View {
        @State private var words = "waiting"
        var isEndless = false

        var body: some View {
            Text(words).task {
                await Task.yield()
                words = "loaded"
                if isEndless { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
            }
        }
    }

    @Test("The tasks of a view run, and an endless task does not block the page")
    func tasks() async throws {
        for isEndless in [false, true] {
            let page = try await PageBuilder.page(of: Loaded(isEndless: isEndless))
            #expect(page.variants.first?.nodes.first?.runs?.first?.text == "loaded")
        }
    }

    private struct Renamed: View {
        @State private var id = 1

        var body: some View { Counted(name: "x").id(id).onAppear { id = 2 } }
    }

    @Test("A view with a new id starts with new state")
    func renamed() throws { #expect(try Lowered.outline(Renamed()) == "x 1") }
}

private struct GoalKey: EnvironmentKey { static let defaultValue = 7 }

extension EnvironmentValues {
    fileprivate var goal: Int {
        get { self[GoalKey.self] }
        set { self[GoalKey.self] = newValue }
    }
}
