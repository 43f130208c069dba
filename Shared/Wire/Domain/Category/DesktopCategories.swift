/// The categories that the freedesktop menu specification registers, and what they are here.
package enum DesktopCategories {
    /// Nil when an entry names none that says anything.
    ///
    /// What is more particular comes first, whatever the order in the file: nearly everything is also a Utility.
    package static func category(of names: [String]) -> Category? {
        let names = Set(names)
        if names.contains("Viewer"), !names.contains("Game") {
            // Of documents, or of pictures.
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
