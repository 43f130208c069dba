/// What a person should know of what is covered and never paused.
enum NeverWords {
    static let sentences = [
        "Screen Time itself, and whatever it was started from, such as this terminal.",
        "Terminals, because what runs in them would stop too.",
        "The desktop: compositor, window manager, panels, session bus, sound, notifications.",
        "Input methods, screen readers, keyrings, and whatever asks for a password or locks the screen.",
    ]
}
