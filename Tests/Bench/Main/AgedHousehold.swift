import Glibc
import STBus
import STContracts
import STPlatform
import STSimulation
import STStore
import STTestKit
import STTestSupport
import STZeroMQ

/// The databases of a family of four after some days or three years, made once. The simulator plays the days, and the services
/// continue with its files.
struct AgedHousehold {
    private static let services: [ServiceName] = [.auth, .activity, .monitor, .shield, .notifier, .report]
    /// The application ids of a simulation's files and of a service's.
    private static let applicationIDs: (simulated: Int32, real: Int32) = (0x5354_5369, 0x5354_5376)

    private let folder: String
    private let days: Int
    /// True for one person with a thousand changes of the foreground app a day.
    private let isAlone: Bool

    /// Returns the household in the folder, or makes a new one.
    static func made(in folder: String, days: Int, isAlone: Bool = false) async throws -> AgedHousehold {
        let household = AgedHousehold(
            folder: "\(folder)/\(days)-days" + (isAlone ? "-alone" : ""),
            days: days,
            isAlone: isAlone
        )
        guard access(household.directories.state, F_OK) != 0 else { return household }
        print(
            "Making the databases of \(household.people) over \(days) days, in \(household.folder): a minute for every 200 days."
        )
        let scratch = try BenchScratch()
        defer { scratch.remove() }
        try await household.live(scratch)
        try await household.takeOver(scratch)
        // Only now, so that an interrupted one is made again.
        try Directories.prepare(household.folder)
        let parts = household.folder + ".new"
        try? DirectoryTree.remove(parts)
        try Directories.prepare(parts)
        try copy(from: scratch.directories, to: Directories(run: parts, state: parts, config: parts))
        guard rename(parts, household.directories.state) == 0 else { throw SystemError.last("rename") }
        return household
    }

    private var people: String { isAlone ? "one person" : "four people" }

    private var directories: Directories {
        Directories(run: "\(folder)/state", state: "\(folder)/state", config: "\(folder)/state")
    }

    func copy(to other: Directories) throws { try Self.copy(from: directories, to: other) }

    /// Returns the path of a service's database, and creates its folder.
    private static func place(of service: String, in directories: Directories) throws -> String {
        let path = directories.database(service: service)
        try Directories.prepare(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        return path
    }

    private static func copy(from: Directories, to: Directories) throws {
        for service in services.map(\.rawValue) {
            let path = try place(of: service, in: to)
            DatabaseImage.copy(of: from.database(service: service), to: path)
        }
    }

    // MARK: - Making

    /// Plays the days until yesterday. report-service takes no part in a simulation, so it has no data yet.
    private func live(_ scratch: BenchScratch) async throws {
        let lived = scratch.directories.state + "/lived"
        try Directories.prepare(lived)
        let start = SystemTimeSource().now().wallMs - Int64(days + 1) * 86_400_000
        let scenario = try ScenarioReader.read(
            Array(
                BusyWeeks.json(
                    days: days,
                    from: String(RFC3339.text(wallMs: start).prefix(10)),
                    isAlone: isAlone
                ).utf8
            ),
            folder: "/"
        )
        _ = try await Simulation.inProcess(scenario, keeping: lived)
        for service in Self.services where service != .report {
            let path = "\(lived)/\(service).sqlite"
            let database = try Database(
                path: path,
                options: DatabaseOptions(synchronous: .off, applicationID: Self.applicationIDs.simulated)
            )
            try database.execute("PRAGMA application_id = \(Self.applicationIDs.real)")
            try database.close()
            let target = try Self.place(of: service.rawValue, in: scratch.directories)
            guard rename(path, target) == 0 else { throw SystemError.last("rename") }
        }
    }

    /// Lets the real services open the files, and waits until report-service has summed up the years.
    private func takeOver(_ scratch: BenchScratch) async throws {
        let processes = try Self.services.map { try scratch.start($0.rawValue) }
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        try await ReportBench.hasFollowed(client, within: .seconds(1_800))
        await client.close()
        loop.stop()
        for process in processes.reversed() { scratch.stop(process) }
    }

    // MARK: - Figures

    /// The sizes of the files.
    var figures: [Figure] {
        var all = 0.0
        let each = Self.services.map { service -> Figure in
            var about = stat()
            let size =
                stat(directories.database(service: service.rawValue), &about) == 0 ? Double(about.st_size) : 0
            all += size / 1_048_576
            return Figure(
                bench: "aged",
                name: "\(people), \(days) days, \(service)",
                value: size / 1_048_576,
                unit: "MiB"
            )
        }
        // The bars for a year of one person, and for three years of four.
        let bar: Figure.Bar =
            isAlone ? (days == 365 ? .atMost(60) : .none) : days == 1_095 ? .atMost(600) : .none
        return each + [
            Figure(
                bench: "aged",
                name: "\(people), \(days) days, all databases",
                value: all,
                unit: "MiB",
                bar: bar
            )
        ]
    }

    /// Returns each figure of the aged system, and its ratio to the figure of the young one.
    ///
    /// Omits figures of other programs and sizes on the disk, which have bars of their own.
    static func ratios(_ young: [Figure], _ aged: [Figure]) -> [Figure] {
        zip(young, aged).flatMap { fresh, aged -> [Figure] in
            guard fresh.name == aged.name, fresh.value > 0, aged.value > 0, !fresh.unit.isEmpty,
                fresh.unit != "x", !fresh.name.hasPrefix("plain"), !fresh.name.hasSuffix("on the disk")
            else { return [] }
            let ratio = fresh.unit == "/s" ? fresh.value / aged.value : aged.value / fresh.value
            var shown = aged
            shown.name = "aged: \(aged.name)"
            shown.bar = .none
            return [
                shown,
                Figure(
                    bench: aged.bench,
                    name: "aged against young",
                    value: ratio,
                    unit: "x",
                    bar: .atMost(1.2)
                ),
            ]
        }
    }
}
