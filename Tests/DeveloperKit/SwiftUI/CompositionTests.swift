import STContracts
import SwiftUICore
import Testing

@Suite("Composition of views") @MainActor
struct CompositionTests {
    private struct Row: View {
        let name: String

        var body: some View {
            HStack {
                Text(name)
                Spacer()
            }
        }
    }

    private struct Many: View {
        var isLong = false
        var extra: String?

        var body: some View {
            VStack {
                Row(name: "one")
                if isLong {
                    Text("long")
                } else {
                    Text("short")
                }
                if let extra { Text(extra) }
                ForEach(0..<2) { Text("\($0)") }
                Group {
                    Text("a")
                    Text("b")
                }
                AnyView(Text("any"))
                EmptyView()
            }
        }
    }

    @Test("Views become a tree in preorder, without groups")
    func tree() throws {
        #expect(
            try Lowered.outline(Many()) == "vertical(horizontal(one spacer) short 0 1 a b any)"
        )
        #expect(
            try Lowered.outline(Many(isLong: true, extra: "more"))
                == "vertical(horizontal(one spacer) long more 0 1 a b any)"
        )
    }

    @Test("A view builder accepts twelve views or none")
    func counts() throws {
        let nodes = try Lowered.nodes(
            VStack {
                Text("1")
                Text("2")
                Text("3")
                Text("4")
                Text("5")
                Text("6")
                Text("7")
                Text("8")
                Text("9")
                Text("10")
                Text("11")
                Text("12")
            }
        )
        #expect(nodes.first?.count == 12)
        #expect(nodes.count == 13)
        #expect(try Lowered.outline(EmptyView()) == "vertical")
    }

    @Test("A modifier of a group applies to each of its views")
    func each() throws {
        let view = VStack {
            Group {
                Text("a")
                Text("b")
            }
            .boxed(.opacity) { box, _ in box.opacity = 0.5 }
        }
        #expect(try Lowered.outline(view) == "vertical(box(a) box(b))")
    }
}
