import Foundation
import STContracts
import SwiftUICore
import Testing

@Suite("Shapes") @MainActor
struct ShapeTests {
    private func shape(_ view: some View) throws -> PageShape {
        try #require(try Lowered.nodes(view).compactMap(\.shape).first)
    }

    @Test("A shape is filled, stroked or both")
    func looks() throws {
        let filled = try shape(Capsule().fill(Color.black))
        #expect(filled.kind == .capsule)
        #expect(filled.fill?.color?.light == "#000000FF")
        #expect(filled.stroke == nil)
        let ring = try shape(Circle().stroke(Color.black, style: StrokeStyle(lineWidth: 14, lineCap: .round)))
        #expect(ring.kind == .circle)
        #expect(ring.lineWidth == 14)
        #expect(ring.fill == nil)
        #expect(
            try shape(RoundedRectangle(cornerRadius: 3).fill(.red).stroke(.blue, lineWidth: 2)).radius == 3
        )
        #expect(try shape(Rectangle()).fill?.color?.dark == "#FFFFFFFF")
        #expect(try shape(Ellipse().foregroundColor(.black)).fill?.color?.light == "#000000FF")
    }

    @Test("A ring is trimmed and rotated")
    func ring() throws {
        let nodes = try Lowered.nodes(
            Circle().trim(from: 0.25, to: 2).stroke(.red, lineWidth: 3).rotationEffect(.degrees(-90))
        )
        #expect(nodes.map(\.kind) == [.box, .shape])
        #expect(nodes.first?.box?.rotation == -90)
        #expect(nodes.last?.shape?.trimFrom == 0.25)
        #expect(nodes.last?.shape?.trimTo == 1)
    }

    private struct Triangle: Shape {
        func path(in rect: CGRect) -> Path {
            Path { path in
                path.move(to: CGPoint(x: rect.midX, y: rect.minY))
                path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
                path.addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
                path.closeSubpath()
            }
        }
    }

    @Test("A custom shape becomes a path of its frame's size")
    func own() throws {
        let nodes = try Lowered.nodes(Triangle().fill(.red).frame(width: 20, height: 10.5))
        #expect(nodes.last?.shape?.kind == .path)
        #expect(nodes.last?.shape?.path == "M10 0L20 10.5L0 10.5Z")
        #expect(nodes.dropLast().last?.box?.frame == PageFrame(width: 20, height: 10.5))
    }

    @Test("An arc is drawn in the given direction")
    func arcs() throws {
        func end(_ clockwise: Bool) -> (CGRect, CGPoint?) {
            let path = Path { path in
                path.addArc(
                    center: .zero,
                    radius: 10,
                    startAngle: .zero,
                    endAngle: .degrees(90),
                    clockwise: clockwise
                )
            }
            return (path.boundingRect, path.currentPoint)
        }
        let short = end(false)
        #expect(abs(short.0.minX) < 0.01 && abs(short.0.minY) < 0.01)
        #expect(abs(short.0.maxY - 10) < 0.01)
        // The long way around.
        #expect(end(true).0.minX < -9.9)
        #expect(abs((end(true).1?.y ?? 0) - 10) < 0.01)
    }

    @Test("A gradient has its colours, stops and points")
    func gradients() throws {
        let paint = try shape(
            Rectangle().fill(
                LinearGradient(colors: [.black, .white, .black], startPoint: .leading, endPoint: .trailing)
            )
        ).fill
        #expect(paint?.kind == .linear)
        #expect(paint?.stops?.map(\.at) == [0, 0.5, 1])
        #expect(paint?.from == [0, 0.5])
        #expect(paint?.to == [1, 0.5])
        let angular = AngularGradient(gradient: Gradient(colors: [.red]), center: .center)
        #expect(try shape(angular).fill?.kind == .angular)
        #expect(try shape(Circle().fill(Color.red.gradient)).fill?.stops?.count == 2)
        #expect(
            try Lowered.nodes(
                Text("x").foregroundStyle(
                    .linearGradient(colors: [.red, .black], startPoint: .top, endPoint: .bottom)
                )
            )
            .first?.runs?.first?.color?.light == "#000000FF"
        )
    }
}
