import STContracts
import STFrameworkSamples
import SwiftUICore
import Testing

@Suite("Lists, grids and containers") @MainActor
struct ContainerTests {
    @Test("A list has rows and sections with headers, backgrounds and insets")
    func lists() throws {
        let view = List {
            Section {
                Text("a").listRowBackground(Color.black)
                Text("b").listRowInsets(EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)).badge(7)
            } header: {
                Label("Head", systemImage: "bell")
            } footer: {
                Text("foot")
            }
            Section("More") { Text("c") }
            Text("d")
        }
        let nodes = try Lowered.nodes(view)
        #expect(
            Lowered.outline(nodes)
                == "list(section(box(a) horizontal(box(b) spacer 7)) foot section(c) d)"
        )
        #expect(nodes.filter { $0.kind == .section }.map { $0.runs?.first?.text } == ["Head", "More"])
        #expect(nodes[2].box?.background?.color?.light == "#000000FF")
        #expect(try Lowered.outline(VStack { Section("Head") { Text("a") } }) == "vertical(Head a)")
        #expect(try Lowered.outline(List(["x", "y"], id: \.self) { Text($0) }) == "list(x y)")
    }

    @Test("A grid has columns, and its short rows are filled with empty cells")
    func grids() throws {
        let grid = Grid {
            GridRow {
                Text("1")
                Text("2")
            }
            GridRow { Text("3") }
            GridRow { Text("4").gridCellColumns(2) }
        }
        let nodes = try Lowered.nodes(grid)
        #expect(nodes.first?.columns == 2)
        #expect(Lowered.outline(nodes) == "grid(1 2 3 layered 4 layered)")
        #expect(
            try Lowered.outline(
                Grid {
                    GridRow { Text("1") }
                    Divider()
                }
            ) == "vertical(horizontal(1) divider)"
        )
        let flexible = LazyVGrid(columns: [GridItem(), GridItem()]) { ForEach(0..<3) { Text("\($0)") } }
        #expect(try Lowered.nodes(flexible).first?.columns == 2)
        let adaptive = LazyVGrid(columns: [GridItem(.adaptive(minimum: 100))]) { Text("x") }
        #expect(try Lowered.nodes(adaptive).first?.columns == 3)
        let rows = LazyHGrid(rows: [GridItem(), GridItem()]) { ForEach(0..<3) { Text("\($0)") } }
        #expect(try Lowered.outline(rows) == "grid(0 2 1)")
    }

    @Test("A page has the navigation title of its first view, and links show their labels")
    func navigation() throws {
        let page = try Lowered.page(
            NavigationStack {
                VStack {
                    NavigationLink("next", destination: Text("far away").navigationTitle("Other"))
                    NavigationLink(value: 3) { Text("three") }
                }
                .navigationTitle("Screen Time")
            }
        )
        #expect(page.title == "Screen Time")
        #expect(Lowered.outline(page.variants[0].nodes) == "vertical(next three)")
    }

    @Test("GeometryReader reports the size of a phone's screen without frames and padding")
    func room() throws {
        func size(_ change: (GeometryReader<Text>) -> some View) throws -> String? {
            let reader = GeometryReader { Text(verbatim: "\(Int($0.size.width))x\(Int($0.size.height))") }
            return try Lowered.nodes(change(reader)).compactMap { $0.runs?.first?.text }.first
        }
        #expect(try size { $0 } == "390x844")
        #expect(try size { $0.frame(height: 200).padding(.horizontal, 20) } == "350x200")
        #expect(try size { $0.padding(500) } == "0x0")
    }

    @Test("Progress bars, gauges, toggles and scroll views become nodes of a page")
    func controls() throws {
        let bar = try Lowered.nodes(ProgressView(value: 3, total: 4).tint(.black)).first
        #expect(bar?.value == 0.75)
        #expect(bar?.color?.light == "#000000FF")
        #expect(try Lowered.nodes(ProgressView(value: .nan, total: 1.0)).first?.value == 0)
        #expect(try Lowered.nodes(ProgressView()).first?.value == nil)
        #expect(
            try Lowered.outline(
                Gauge(value: 1, in: 0...4) {
                    Text("g")
                } currentValueLabel: {
                    Text("1")
                }
            )
                == "vertical(g horizontal(progress) 1)"
        )
        #expect(try Lowered.outline(Toggle("on", isOn: .constant(true))) == "horizontal(on spacer image)")
        #expect(
            try Lowered.outline(
                ScrollView(.horizontal) {
                    Text("a"); Text("b")
                }
            ) == "scroll(vertical(a b))"
        )
        #expect(try Lowered.nodes(Image(systemName: "bell").resizable()).first?.image?.scaling == "stretch")
    }

    @Test("Sample views become valid pages")
    func samples() throws {
        let page = try Lowered.page(UseReportView(report: .sample))
        #expect(page.title == "Screen Time")
        let nodes = page.variants[0].nodes
        #expect(nodes.contains { $0.shape?.trimTo == 1 && $0.shape?.kind == .circle })
        let words = nodes.flatMap { $0.runs ?? [] }.map(\.text)
        #expect(words.prefix(4) == ["2h 15m", "of 1h 0m", "TODAY", "2"])
        #expect(words.suffix(3) == ["3 pickups", "Maps", "1h 0m"])
        #expect(try Lowered.outline(ListedView()).hasPrefix("list(section("))
        #expect(try Lowered.nodes(DrawnView()).compactMap(\.shape).count == 2)
    }
}
