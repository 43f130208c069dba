/// What is known of the window manager.
struct XManager: Equatable {
    /// Somebody manages windows.
    var isThere = false
    /// It keeps to the Extended Window Manager Hints: a list of windows, and the one in front.
    var keepsHints = false
    /// The window by which it shows that it is alive.
    var check: UInt32 = 0
    var name: String?

    /// Those that leave windows mapped which nobody can see, so that they have pictures of them.
    private static let keepers = [
        "gnome shell", "mutter", "muffin", "gala", "budgie", "compiz", "kwin", "deepin", "enlightenment",
    ]

    /// Otherwise a window that is mapped can be seen, whatever it says of itself.
    var keepsHiddenMapped: Bool {
        guard let name = name?.lowercased() else { return false }
        return Self.keepers.contains { name.contains($0) }
    }
}
