import STDesktop

@testable import STDesktopCore

extension ShieldingBench {
    /// A game with a shield over it, and an editor beside it.
    static func shielded(
        _ settings: ShieldSettings = ShieldSettings(),
        isReady: Bool = true,
        _ prepare: (inout ShieldingBench) -> Void = { _ in }
    ) -> ShieldingBench {
        var bench = ShieldingBench(settings, isReady: isReady)
        prepare(&bench)
        bench.window("x11:1", editor, pid: 50)
        bench.window("x11:2", game)
        bench.focus("x11:2")
        bench.shield()
        bench.settle()
        return bench
    }
}
