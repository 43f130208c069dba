import SwiftUI

// Modifiers for touch, keyboard and animation on a phone. They have no effect on a page.

package struct TouchedView: View {
    private enum Field: Hashable {
        case name, limit
    }

    @FocusState private var focused: Field?
    @FocusState private var isNoteFocused: Bool
    @GestureState private var dragged = CGSize.zero
    @GestureState private var isPressed = false
    @State private var offset = CGSize.zero
    @State private var taps = 0
    @State private var name = "Reading"

    package init() {}

    private var drag: some Gesture {
        DragGesture(minimumDistance: 5)
            .updating($dragged) { value, state, _ in state = value.translation }
            .onChanged { _ in taps += 1 }
            .onEnded { value in offset = value.predictedEndTranslation }
    }

    private var pressed: some Gesture {
        LongPressGesture(minimumDuration: 0.3)
            .sequenced(before: DragGesture(coordinateSpace: .global))
            .updating($isPressed) { value, state, _ in
                if case .second(true, let drag) = value { state = drag != nil }
            }
    }

    package var body: some View {
        ScrollView {
            VStack {
                Text("drag me")
                    .offset(x: offset.width + dragged.width, y: offset.height + dragged.height)
                    .gesture(drag)
                    .simultaneousGesture(TapGesture(count: 2).onEnded { taps += 1 })
                    .highPriorityGesture(pressed, including: .gesture)
                    .gesture(MagnifyGesture().onChanged { _ in taps += 1 })
                Image(systemName: "bell")
                    .symbolEffect(.bounce.up, options: .speed(2), value: taps)
                    .symbolEffect(.pulse, isActive: isPressed)
                    .contentTransition(.symbolEffect(.replace))
                TextField("Name", text: $name)
                    .focused($focused, equals: .name)
                    .onSubmit { focused = nil }
                TextField("Note", text: $name).focused($isNoteFocused)
                Text("mark me").textSelection(.enabled)
                fromAfar
                Text("wide").containerRelativeFrame(.horizontal)
                Text("third").containerRelativeFrame(.horizontal, count: 3, spacing: 6)
                Text("half").containerRelativeFrame([.horizontal, .vertical]) { length, axis in
                    axis == .horizontal ? length / 2 : 40
                }
            }
            .onAppear { focused = .limit }
        }
        .scrollIndicators(.hidden)
        .scrollContentBackground(.hidden)
        .interactiveDismissDisabled()
        .toolbar {
            ToolbarItem(placement: .topBarTrailing) { Button("Done") { isNoteFocused = false } }
            ToolbarItemGroup(placement: .bottomBar) { Text("not shown") }
        }
    }

    @ViewBuilder private var fromAfar: some View {
        let address = URL(string: "https://example.org/icon.png")
        AsyncImage(url: address).frame(width: 20, height: 20)
        AsyncImage(url: address) { image in
            image.resizable().scaledToFit()
        } placeholder: {
            Text("not here")
        }
        AsyncImage(url: address) { phase in
            if let image = phase.image { image } else { Text(phase.error == nil ? "empty" : "failed") }
        }
    }
}

#if !os(Linux)
#Preview {
    TouchedView()
}
#endif
