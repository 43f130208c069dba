import Dispatch

/// One picture at a time.
///
/// Cairo 1.16 shares the faces of fonts between threads, and under two of them at once freetype fails now and then:
/// from there on nothing more of that picture is drawn. The program draws one; tests draw many.
enum DrawingTurn {
    private static let lock = DispatchSemaphore(value: 1)

    static func begin() { lock.wait() }
    static func end() { lock.signal() }
}
