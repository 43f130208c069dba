/// The programs of this computer by the names of their windows, from the desktop entries.
package struct DesktopApps: Sendable, Equatable {
    package struct App: Sendable, Equatable {
        /// The name in the spelling of its desktop.
        package var subject: String
        package var name: String?
        package var names: [String: String]
        package var icon: String?
        /// The category. `nil` if the entry has none.
        package var category: Category?

        package init(
            subject: String,
            name: String? = nil,
            names: [String: String] = [:],
            icon: String? = nil,
            category: Category? = nil
        ) {
            self.subject = subject
            self.name = name
            self.names = names
            self.icon = icon
            self.category = category
        }
    }

    /// Upper bound on the apps of one computer. A full desktop has several hundred.
    package static let appsMax = 3_000

    /// The apps by name in lower case.
    package private(set) var apps: [String: App] = [:]

    package init() {}

    /// Creates the list from the entries of all folders. The first entry with an id takes precedence.
    package init(_ entries: [DesktopEntry]) {
        var seen: Set<String> = []
        var classes: [(entry: DesktopEntry, name: String)] = []
        for entry in entries where seen.insert(entry.id).inserted && !entry.isDeleted {
            insert(App(entry, subject: entry.id))
            if let name = entry.windowClass { classes.append((entry, name)) }
        }
        // If several programs share a window class, the class belongs to one that menus show.
        for (entry, name) in classes.sorted(by: { !$0.entry.isHidden && $1.entry.isHidden })
        where self[name] == nil {
            insert(App(entry, subject: name))
        }
    }

    package subscript(_ app: String) -> App? { apps[CategoryMap.normal(app: app)] }

    package mutating func insert(_ app: App) {
        let key = CategoryMap.normal(app: app.subject)
        guard apps[key] != nil || apps.count < Self.appsMax else { return }
        apps[key] = app
    }
}

extension DesktopApps.App {
    fileprivate init(_ entry: DesktopEntry, subject: String) {
        self.init(
            subject: subject,
            name: entry.name,
            names: entry.names,
            icon: entry.icon,
            category: DesktopCategories.category(of: entry.categories)
        )
    }
}

/// Maps the registered categories of the freedesktop menu specification to `Category`.
package enum DesktopCategories {
    /// The category of an entry. `nil` if none of its names has one.
    ///
    /// Specific categories take precedence over general ones regardless of their order in the file, because nearly every app is
    /// also a Utility.
    package static func category(of names: [String]) -> Category? {
        let names = Set(names)
        if names.contains("Viewer"), !names.contains("Game") {
            // A viewer of documents, or of pictures.
            return names.contains("Office") ? .informationReading : .utilities
        }
        return order.first { !$0.names.isDisjoint(with: names) }?.category
    }

    private static let order: [(category: Category, names: Set<String>)] = lists.map { category, text in
        (category, Set(text.split(whereSeparator: \.isWhitespace).map(String.init)))
    }

    private static let lists: [(Category, String)] = [
        (
            .games,
            """
            Game ActionGame AdventureGame ArcadeGame BoardGame BlocksGame CardGame KidsGame LogicGame
            RolePlaying Shooter Simulation SportsGame StrategyGame
            """
        ),
        (.social, "InstantMessaging Chat IRCClient VideoConference Telephony"),
        (
            .creativity,
            """
            AudioVideoEditing Sequencer Midi Recorder Photography 2DGraphics VectorGraphics RasterGraphics
            3DGraphics Publishing Art ImageProcessing
            """
        ),
        (.entertainment, "Player TV Tuner Music Amusement Adult"),
        (.travel, "Maps"),
        (.healthFitness, "Sports MedicalSoftware"),
        (.informationReading, "News Feed Literature Dictionary Spirituality"),
        (
            .education,
            """
            Languages ArtificialIntelligence Astronomy Biology Chemistry ComputerScience DataVisualization
            Economy Electricity Geography Geology Geoscience History Humanities Math NumericalAnalysis Physics
            Robotics ParallelComputing Construction
            """
        ),
        (
            .productivity,
            """
            Building Debugger IDE GUIDesigner Profiling RevisionControl Translation WebDevelopment Calendar
            ContactManagement Database Chart Email Finance FlowChart PDA ProjectManagement Presentation
            Spreadsheet WordProcessor TextEditor Engineering Electronics
            """
        ),
        (
            .utilities,
            """
            WebBrowser FileTransfer P2P RemoteAccess TelephonyTools HamRadio Dialup TextTools DesktopSettings
            HardwareSettings Printing PackageManager Mixer DiscBurning OCR Scanning Archiving Compression
            FileTools FileManager TerminalEmulator Filesystem Monitor Security Accessibility Calculator Clock
            Emulator TrayIcon Applet Screensaver
            """
        ),
        (.education, "Education Science"),
        (.entertainment, "AudioVideo Audio Video"),
        (.creativity, "Graphics"),
        (.productivity, "Office Development"),
        (.utilities, "Network Settings System Utility Core Shell Documentation"),
    ]
}
