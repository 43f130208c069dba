import STContracts
import SwiftUICore
import Testing

@Suite("Limits of pages") @MainActor
struct LimitTests {
    private struct Endless: View {
        var body: some View { AnyView(Endless()) }
    }

    private struct EndlessStacks: View {
        var body: some View { VStack { AnyView(EndlessStacks()) } }
    }

    /// Uses much of the stack at each level.
    private struct Wide: View {
        var filling = (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        )

        var body: some View {
            Group {
                Text("\(filling.0)")
                HStack { AnyView(Wide()) }
            }
            .padding().opacity(0.5).font(.title)
        }
    }

    private func nested(_ depth: Int) -> AnyView {
        var view = AnyView(Text("innermost"))
        for _ in 0..<depth { view = AnyView(VStack { view }) }
        return view
    }

    @Test("Views that are nested 10,000 or more deep give a problem")
    func deep() {
        #expect(Lowered.problem(nested(10_000)) == "page.too_deep")
        #expect(Lowered.problem(nested(100_000)) == "page.too_deep")
        #expect(Lowered.problem(nested(190)) == nil)
    }

    @Test("A body that contains itself gives a problem")
    func endless() {
        #expect(Lowered.problem(Endless()) == "page.too_deep")
        #expect(Lowered.problem(EndlessStacks()) == "page.too_deep")
        #expect(Lowered.problem(Wide()) == "page.too_deep")
    }

    @Test("Ten thousand modifiers give a problem")
    func modifiers() {
        var view = AnyView(Text("x"))
        for _ in 0..<10_000 { view = AnyView(view.padding(1)) }
        #expect(Lowered.problem(view) == "page.too_deep")
    }

    @Test("A million rows give a problem, even if they are empty")
    func rows() {
        #expect(Lowered.problem(List(0..<1_000_000) { Text("\($0)") }) == "page.too_large")
        #expect(Lowered.problem(ForEach(0..<1_000_000) { _ in EmptyView() }) == "page.too_large")
        #expect(Lowered.problem(VStack { ForEach(0..<4_000) { Text("\($0)") } }) == nil)
    }

    @Test("Megabytes of text give a problem, in one view or in many")
    func text() {
        let long = String(repeating: "가", count: 3_500_000)
        #expect(Lowered.problem(Text(long)) == "page.too_large")
        let part = String(repeating: "a", count: 1_000)
        #expect(Lowered.problem(ForEach(0..<1_000) { _ in Text(part) }) == "page.too_large")
        #expect(Lowered.problem(Text("x").accessibilityLabel(long)) == "page.too_large")
    }

    /// Each variant contains `bytes` of accessibility text. A picker doubles the total.
    private struct Choosing: View {
        let bytes: Int
        @State private var choice = 0

        var body: some View {
            Picker("Choice", selection: $choice) {
                Text("One").tag(0)
                Text("Two").tag(1)
            }
            .pickerStyle(.segmented)
            Text("x").accessibilityLabel(String(repeating: "a", count: bytes))
        }
    }

    @Test(
        "A page whose choices have too much text keeps only its first state"
    )
    func choices() throws {
        let small = try Lowered.page(Choosing(bytes: 1_000))
        #expect(small.variants.count == 2)
        let large = try Lowered.page(Choosing(bytes: PageLimits.textBytes * 3 / 4))
        #expect(large.controls.isEmpty && large.variants.count == 1)
    }

    @Test(
        "A locale identifier becomes the language tag of a page",
        arguments: [("en_US", "en-US"), ("ko_KR", "ko-KR")]
    )
    func language(_ given: String, _ expected: String) throws {
        #expect(try Lowered.page(Text("x"), language: given).language == expected)
    }

    @Test("A path with a million elements gives a problem")
    func path() {
        let path = Path { path in
            for index in 0..<1_000_000 { path.addLine(to: CGPoint(x: index, y: index)) }
        }
        #expect(Lowered.problem(path.stroke(Color.red)) == "page.too_large")
    }

    @Test("Infinite lengths and NaN become valid lengths of a page")
    func numbers() throws {
        let view = Text("x").padding(.nan).frame(width: .infinity, height: -5).offset(x: 1e300)
            .opacity(.nan).rotationEffect(.degrees(.infinity)).scaleEffect(.nan)
            .font(.system(size: .nan))
        let nodes = try Lowered.nodes(view)
        #expect(nodes.last?.runs?.first?.font?.size == 17)
    }
}
