import STContracts
import STFrameworkSamples
import SwiftUICore
import Testing

@Suite("Modifiers") @MainActor
struct ModifierTests {
    private func boxes(_ view: some View) throws -> [PageBox] {
        try Lowered.nodes(view).compactMap(\.box)
    }

    private func ground(_ color: String) -> PagePaint {
        PagePaint(kind: .color, color: PageColor(light: color, dark: color))
    }

    private let even = PageEdges(top: 8, leading: 8, bottom: 8, trailing: 8)

    @Test("Modifiers share one box if they apply from the inside out, and otherwise add a box")
    func order() throws {
        let green = Color(red: 0, green: 1, blue: 0)
        let outside = try boxes(Text("x").padding(8).background(green))
        #expect(outside == [PageBox(padding: even, background: ground("#00FF00FF"))])

        let inside = try boxes(Text("x").background(green).padding(8))
        #expect(inside == [PageBox(padding: even), PageBox(background: ground("#00FF00FF"))])

        let all = try boxes(
            Text("x").padding(8).frame(width: 100).background(green).cornerRadius(4).opacity(0.5)
                .offset(x: 3).rotationEffect(.degrees(90)).scaleEffect(2)
        )
        #expect(all.count == 1)
        #expect(all.first?.frame == PageFrame(width: 100, align: .center))
        #expect(all.first?.radius == 4)
        #expect(all.first?.rotation == 90)
        #expect(all.first?.scale == 2)
        #expect(try boxes(Text("x").padding(8).padding(8)).count == 2)
    }

    @Test("A frame can fill, align and limit the size of a view")
    func frames() throws {
        let frame = try boxes(Text("x").frame(minWidth: 10, maxWidth: .infinity, alignment: .leading)).first
        #expect(frame?.frame == PageFrame(minWidth: 10, fillsWidth: true, align: .leading))
    }

    @Test("A shape behind a view is its background, and a stroke over it is its border")
    func grounds() throws {
        let card = try boxes(
            Text("x").padding(8)
                .background(RoundedRectangle(cornerRadius: 12).fill(.black).shadow(radius: 3))
                .overlay(RoundedRectangle(cornerRadius: 12).stroke(Color.white, lineWidth: 2))
        )
        #expect(card.count == 2)
        #expect(card[1] == PageBox(padding: even, background: ground("#000000FF"), radius: 12, shadow: 3))
        #expect(card[0] == PageBox(radius: 12, border: ground("#FFFFFFFF"), borderWidth: 2))
        let material = try boxes(Text("x").background(.thinMaterial, in: Capsule()))
        #expect(material.first?.radius == 1_000)
    }

    @Test("Other views can be behind or over a view")
    func layers() throws {
        #expect(
            try Lowered.outline(
                Text("x").background(Text("y")).overlay(alignment: .topTrailing) { Text("z") }
            )
                == "over(behind(x y) z)"
        )
        #expect(
            try Lowered.nodes(Text("x").overlay(alignment: .topTrailing) { Text("z") })[0].align
                == .topTrailing
        )
        #expect(try Lowered.outline(Text("x").overlay { if false { Text("z") } }) == "x")
        #expect(
            try Lowered.outline(
                ZStack {
                    Color.red; Text("x")
                }
            ) == "layered(shape x)"
        )
    }

    @Test("Layers are ordered by zIndex and then by position")
    func zIndex() throws {
        let view = ZStack {
            Text("front").zIndex(2)
            Text("a")
            Text("b").padding(1)
            Text("back").zIndex(-1).opacity(0.5)
            Text("c").zIndex(.nan)
        }
        #expect(try Lowered.outline(view) == "layered(box(back) a box(b) c front)")
        let beside = HStack {
            Text("a").zIndex(1)
            Text("b")
        }
        #expect(try Lowered.outline(beside) == "horizontal(a b)")
    }

    @Test("A shape clips the corners of a view")
    func clips() throws {
        #expect(try boxes(Text("x").clipShape(RoundedRectangle(cornerRadius: 5))).first?.radius == 5)
        #expect(try boxes(Text("x").clipShape(Circle())).first?.clip == .circle)
        #expect(try boxes(Text("x").clipShape(.capsule)).first?.clip == .capsule)
        #expect(try boxes(Text("x").shadow(color: .clear, radius: 4)) == [])
    }

    private struct Card: ViewModifier {
        @State private var isRaised = false

        func body(content: Content) -> some View {
            VStack {
                content
                if isRaised { Text("raised") }
            }
            .onAppear { isRaised = true }
        }
    }

    @Test("A custom modifier has state and can be concatenated")
    func own() throws {
        #expect(try Lowered.outline(Text("x").modifier(Card())) == "vertical(x raised)")
        #expect(
            try Lowered.outline(Text("x").modifier(Card().concat(Card())))
                == "vertical(vertical(x raised) raised)"
        )
    }

    private struct Pill: ButtonStyle {
        @Environment(\.isEnabled) private var isEnabled

        func makeBody(configuration: Configuration) -> some View {
            HStack {
                configuration.label
                Text(isEnabled ? "on" : "off")
            }
        }
    }

    @Test("A custom style reads the environment")
    func styles() throws {
        let buttons = VStack {
            Button("a") {}
            Button("b") {}.disabled(true)
        }
        #expect(
            try Lowered.outline(buttons.buttonStyle(Pill())) == "vertical(horizontal(a on) horizontal(b off))"
        )
        #expect(try Lowered.outline(buttons) == "vertical(a b)")
        let label = Label("words", systemImage: "bell")
        #expect(try Lowered.outline(label) == "horizontal(image words)")
        #expect(try Lowered.outline(label.labelStyle(.titleOnly)) == "words")
        #expect(try Lowered.nodes(label.labelStyle(.iconOnly)).first?.label == "words")
    }

    @Test("Gestures and focus have no effect on a page")
    func touches() throws {
        let page = try Lowered.page(TouchedView())
        let nodes = page.variants[0].nodes
        #expect(
            nodes.flatMap { $0.runs ?? [] }.map(\.text) == [
                "drag me", "Reading", "Reading", "mark me", "not here", "empty", "wide", "third", "half",
            ]
        )
        let frames = nodes.compactMap { $0.box?.frame }
        #expect(frames.suffix(3).map(\.fillsWidth) == [true, nil, nil])
        #expect(frames.suffix(2).map(\.width) == [126, 195] && frames.last?.height == 40)
    }

    @Test("Sheets, alerts and toolbars are left out of a page")
    func presented() throws {
        let view = Text("x").sheet(isPresented: .constant(true)) { Text("sheet") }
            .alert("a", isPresented: .constant(true)) { Text("b") }
            .toolbar { ToolbarItem { Text("bar") } }
        #expect(try Lowered.outline(view) == "x")
    }
}
