import SwiftUI

// Controls: a switch between two views of the same data, a model, and a custom style.

package enum Look: String, CaseIterable, Identifiable {
    case pie = "Pie"
    case bars = "Bars"

    package var id: Self { self }
}

package final class UseModel: ObservableObject {
    @Published package var look: Look = .pie
    @Published var changes = 0

    package init() {}
}

@Observable package final class Counter {
    package var count = 0

    package init() {}
}

private struct GhostButton: ButtonStyle {
    @Environment(\.isEnabled) private var isEnabled

    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .padding(8)
            .overlay(Capsule().strokeBorder(isEnabled ? Color.accentColor : .gray, lineWidth: 1))
            .scaleEffect(configuration.isPressed ? 0.95 : 1)
    }
}

package struct SwitchedView: View {
    @StateObject private var model = UseModel()
    @State private var counter = Counter()
    @State private var didLoad = false

    package init() {}

    package var body: some View {
        VStack {
            Picker("Look", selection: $model.look) {
                ForEach(Look.allCases) { look in
                    Text(look.rawValue).tag(look)
                }
            }
            .pickerStyle(.segmented)
            .onChange(of: model.look) { _, new in
                counter.count += new == .bars ? 1 : 0
            }

            TabView(selection: $model.look) {
                Text("pie here").tag(Look.pie)
                Text("bars here, \(counter.count) changes").tag(Look.bars)
            }
            .tabViewStyle(.page(indexDisplayMode: .never))

            Summary(counter: counter)
            if didLoad { Text("loaded") }
            Button("Reload") { model.changes += 1 }
                .buttonStyle(GhostButton())
                .disabled(model.changes > 3)
        }
        .environmentObject(model)
        .environment(counter)
        .task { didLoad = true }
    }
}

private struct Summary: View {
    @Bindable var counter: Counter
    @EnvironmentObject var model: UseModel
    @Environment(Counter.self) private var same

    var body: some View {
        HStack {
            Text(verbatim: "look \(model.look.rawValue)")
            Stepper("\(same.count) changes", value: $counter.count, in: 0...10)
        }
        .font(.footnote)
        .foregroundColor(.secondary)
    }
}

package struct ListedView: View {
    var items = ["mail", "maps"]
    @State private var isOn = true
    @State private var chosen = "maps"
    @AppStorage("sample.goal") private var goal = 90
    @Namespace private var names

    package init() {}

    package var body: some View {
        List {
            Section(header: Text("Apps").textCase(nil), footer: Text("Since midnight")) {
                ForEach(items, id: \.self) { item in
                    NavigationLink(destination: Text(item)) {
                        Label(item, systemImage: "square.grid.2x2").symbolRenderingMode(.hierarchical)
                    }
                    .listRowBackground(Color.clear)
                    .listRowSeparator(.hidden)
                    .listRowInsets(EdgeInsets(top: 4, leading: 16, bottom: 4, trailing: 16))
                }
                .onDelete { _ in }
            }
            Section("More") {
                Toggle("Notify me", isOn: $isOn).toggleStyle(SwitchToggleStyle(tint: .green))
                Picker(selection: $chosen, label: Text("Favourite")) {
                    ForEach(items, id: \.self) { Text($0.capitalized) }
                }
                ProgressView(value: 0.3, total: 1) { Text("Goal: \(goal)") }
                    .progressViewStyle(LinearProgressViewStyle())
                    .tint(.pink)
                DisclosureGroup("Details") {
                    Text("Share: \(0.25, specifier: "%.2f")")
                    Text(Duration.seconds(90), format: .time(pattern: .minuteSecond))
                }
                Gauge(value: 3, in: 0...10) {
                    Text("Pickups")
                } currentValueLabel: {
                    Text("3")
                }
            }
        }
        .listStyle(.insetGrouped)
        .matchedGeometryEffect(id: "list", in: names)
        .sheet(isPresented: .constant(false)) { Text("never") }
        .alert("Sure?", isPresented: .constant(false)) { Button("Yes", role: .destructive) {} }
        .accessibilityElement(children: .contain)
    }
}

package struct DrawnView: View {
    package init() {}

    private struct Wedge: Shape {
        var start: Angle
        var end: Angle

        func path(in rect: CGRect) -> Path {
            var path = Path()
            path.move(to: CGPoint(x: rect.midX, y: rect.midY))
            path.addArc(
                center: CGPoint(x: rect.midX, y: rect.midY),
                radius: min(rect.width, rect.height) / 2,
                startAngle: start,
                endAngle: end,
                clockwise: false
            )
            path.closeSubpath()
            return path
        }
    }

    package var body: some View {
        HStack {
            Wedge(start: .zero, end: .degrees(90)).fill(.blue.gradient).frame(width: 100, height: 100)
            Path { path in
                path.move(to: .zero)
                path.addLine(to: CGPoint(x: 10, y: 0))
            }
            .stroke(Color.red, lineWidth: 2)
            (Text("Total ") + Text("2h").bold().foregroundColor(.red)).font(.title2)
        }
        .foregroundStyle(AngularGradient(gradient: Gradient(colors: [.red, .blue]), center: .center))
        .background(RadialGradient(colors: [.white, .black], center: .center, startRadius: 0, endRadius: 50))
        .border(.separator)
    }
}
