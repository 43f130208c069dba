import Foundation

/// Holds a view that may hold another one, and so on.
///
/// Letting go of ten thousand of them, each within the next, would take more stack than there is. So only some go at a
/// time, and those deeper wait until these are gone.
final class AnyViewStorage {
    private static let depthMax = 100

    private(set) var view: any View

    init(_ view: any View) { self.view = view }

    deinit {
        let thread = Thread.current
        let state = (thread.threadDictionary[Self.key] as? Leaving) ?? Leaving()
        thread.threadDictionary[Self.key] = state
        guard state.depth < Self.depthMax else { return state.waiting.append(view) }
        state.depth += 1
        view = EmptyView()
        state.depth -= 1
        guard state.depth == 0 else { return }
        state.depth = 1
        while !state.waiting.isEmpty {
            state.depth = 1
            state.waiting.removeLast()
        }
        state.depth = 0
    }

    private static let key = "screentime.views.leaving"

    private final class Leaving {
        var depth = 0
        var waiting: [any View] = []
    }
}
