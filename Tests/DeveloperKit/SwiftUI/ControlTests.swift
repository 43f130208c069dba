import STContracts
import STFrameworkSamples
import SwiftUICore
import Testing

@Suite("Controls of pages") @MainActor
struct ControlTests {
    private struct Switch: View {
        @State private var kind = "pie"
        @State private var log = ""

        var body: some View {
            VStack {
                Picker("Kind", selection: $kind) {
                    Text("Pie").tag("pie")
                    Text("Bars").tag("bars")
                }
                .pickerStyle(.segmented)
                Text("shows \(kind) \(log)").onChange(of: kind) { log += "*" }
            }
        }
    }

    @Test("A picker creates a variant for each option, with the state after onChange ran")
    func picker() throws {
        let page = try Lowered.page(Switch())
        #expect(
            page.controls
                == [PageControl(kind: .choice, label: "Kind", options: ["Pie", "Bars"], chosen: 0)]
        )
        #expect(Lowered.variants(page) == ["0: shows pie ", "1: shows bars *"])
        #expect(page.variants[0].nodes.first { $0.kind == .control }?.control == 0)
    }

    private struct Three: View {
        @State private var chosen: Int? = nil
        @State private var other = 3

        var body: some View {
            VStack {
                Picker("One", selection: $chosen) {
                    ForEach(1..<3) { Text("n\($0)").tag(Int?.some($0)) }
                }
                Picker("Other", selection: $other) {
                    ForEach([3, 5], id: \.self) { Text("\($0)") }
                }
                Text(verbatim: "\(chosen ?? 0) \(other)")
            }
        }
    }

    @Test("Two pickers create every combination, including no choice")
    func combined() throws {
        let page = try Lowered.page(Three())
        #expect(page.controls.map(\.options) == [["–", "n1", "n2"], ["3", "5"]])
        #expect(page.controls.map(\.chosen) == [0, 0])
        #expect(
            Lowered.variants(page) == [
                "0,0: 0 3", "0,1: 0 5", "1,0: 1 3", "1,1: 1 5", "2,0: 2 3", "2,1: 2 5",
            ]
        )
    }

    private struct Crowd: View {
        @State private var first = 2
        @State private var second = 0
        @State private var third = 0

        var body: some View {
            VStack {
                choice("A", $first)
                choice("B", $second)
                choice("C", $third)
                Text("\(first) \(second) \(third)")
            }
        }

        private func choice(_ name: String, _ value: Binding<Int>) -> some View {
            Picker(name, selection: value) { ForEach(0..<5) { Text("\($0)") } }
        }
    }

    @Test("If the combinations are too many, only the first controls can be changed")
    func crowd() throws {
        let page = try Lowered.page(Crowd())
        #expect(page.controls.map(\.label) == ["A", "B"])
        #expect(page.variants.count == 25)
        #expect(page.variants.first?.chosen == [2, 0])
        #expect(Lowered.variants(page)[0] == "2,0: C: 0 2 0 0")
    }

    private struct Tabs: View {
        @State private var tab = 1
        var hasLabels = true

        var body: some View {
            TabView(selection: $tab) {
                Text("one").tabItem { Label("First", systemImage: "1.circle") }.tag(1)
                Inner().tabItem { Text("Second") }.tag(2)
            }
        }
    }

    private struct Inner: View {
        @State private var isLong = false

        var body: some View {
            Picker("Length", selection: $isLong) {
                Text("Short").tag(false)
                Text("Long").tag(true)
            }
            Text(isLong ? "long" : "short")
        }
    }

    @Test("Tabs are selected by their labels, and the controls on other tabs are included")
    func tabs() throws {
        let page = try Lowered.page(Tabs())
        #expect(page.controls.map(\.options) == [["First", "Second"], ["Short", "Long"]])
        #expect(Lowered.variants(page) == ["0,0: one", "0,1: one", "1,0: short", "1,1: long"])
    }

    private struct PlainTabs: View {
        var body: some View {
            TabView {
                Text("a")
                Text("b")
            }
        }
    }

    @Test("A TabView without a selection has its own control")
    func plainTabs() throws {
        let page = try Lowered.page(PlainTabs())
        #expect(page.controls.map(\.options) == [["1", "2"]])
        #expect(Lowered.variants(page) == ["0: a", "1: b"])
    }

    @Test("A picker and the tabs that it selects are one control")
    func shared() throws {
        let page = try Lowered.page(SwitchedView())
        #expect(page.controls.count == 1)
        #expect(page.controls.first?.options == ["Pie", "Bars"])
        #expect(page.controls.first?.label == "Look")
        let words = Lowered.variants(page)
        #expect(words.count == 2)
        #expect(words[0] == "0: pie here look Pie 0 changes Reload")
        #expect(words[1] == "1: bars here, 1 changes look Bars 1 changes Reload")
    }

    @Test("Making a page restores the choice of the app")
    func restored() throws {
        let model = UseModel()
        _ = try Lowered.page(
            Picker("x", selection: Binding(get: { model.look }, set: { model.look = $0 })) {
                ForEach(Look.allCases) { Text($0.rawValue) }
            }
        )
        #expect(model.look == .pie)
    }

    @Test("A binding that ignores changes does not block the page")
    func constant() throws {
        let page = try Lowered.page(
            Picker("x", selection: .constant(1)) { ForEach(0..<3) { Text("\($0)") } }
        )
        #expect(page.variants.count == 3)
    }
}
