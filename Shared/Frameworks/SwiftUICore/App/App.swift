/// An app that consists of views.
///
/// Started here it shows its page once and ends: on a terminal, or with `--html FILE` for a browser.
@MainActor @preconcurrency
public protocol App {
    /// What it shows.
    associatedtype Body: Scene

    /// What it shows.
    @SceneBuilder var body: Body { get }

    /// Made once, when the program starts.
    init()
}

extension App {
    /// Shows the app's page as the words after its name ask for, and ends the program.
    public static func main() async { await AppRun.run(Self()) }
}
