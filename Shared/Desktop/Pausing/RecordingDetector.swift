import Glibc
import STContracts
import STDesktop
import STPlatform

/// Detects whether an app records sound or video now. Has its own thread, because a sound server may respond slowly.
actor RecordingDetector {
    private let thread: LoopThread
    private let devices: [RecordingDevice]
    private let sound: SoundRecorders

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(environment: [String: String], devices: [RecordingDevice]) throws {
        thread = try LoopThread(name: "underway")
        self.devices = devices
        sound = SoundRecorders(environment: environment)
    }

    func close() { thread.stop() }

    func activeRecording(app: String, pids: [Int32], facts: PauseExemptionFacts, tree: CgroupTree?)
        -> Message?
    {
        let family = ProcessFamily(app: app, pids: pids, view: .capture(), facts: facts, tree: tree)
        guard !family.members.isEmpty else { return nil }
        let kinds = family.members.keys.reduce(into: Set<RecordingDevice.Kind>()) { kinds, pid in
            for path in ProcessFolder(pid).descriptors ?? [] {
                for device in devices where device.matches(path) { kinds.insert(device.kind) }
            }
        }
        if kinds.contains(.camera) {
            return Message(
                "agent.app-uses-camera",
                "It is using the camera: a call or a recording is under way."
            )
        }
        if kinds.contains(.microphone) || !sound.pids().isDisjoint(with: family.members.keys) {
            return Message(
                "agent.app-uses-microphone",
                "It is using the microphone: a call or a recording is under way."
            )
        }
        return nil
    }
}

/// A device whose use may be a call or a recording.
package struct RecordingDevice: Sendable, Equatable {
    package enum Kind: Sendable {
        case camera
        case microphone
    }

    package var kind: Kind
    /// The beginning of the path. Digits follow, and possibly `D` and more digits.
    package var prefix: String
    /// The end of the path.
    package var suffix: String

    package init(_ kind: Kind, prefix: String, suffix: String = "") {
        self.kind = kind
        self.prefix = prefix
        self.suffix = suffix
    }

    package static let linux = [
        RecordingDevice(.camera, prefix: "/dev/video"),
        RecordingDevice(.microphone, prefix: "/dev/snd/pcmC", suffix: "c"),
    ]

    func matches(_ path: String) -> Bool {
        guard path.utf8.count > prefix.utf8.count + suffix.utf8.count, path.hasPrefix(prefix),
            path.hasSuffix(suffix)
        else { return false }
        return path.dropFirst(prefix.count).dropLast(suffix.count).allSatisfy { $0.isNumber || $0 == "D" }
    }
}

/// The processes that record sound through PulseAudio or PipeWire, as `pactl` reports them.
struct SoundRecorders: Sendable {
    private static let timeout = Duration.milliseconds(500)
    private static let bytesMax = 1 << 20
    private static let streamsMax = 512

    let environment: [String: String]

    /// Returns no process if there is no sound server, no `pactl`, or no reply in time.
    func pids() -> Set<Int32> {
        guard isServerRunning, let program else { return [] }
        return Self.pids(in: runQuery(program) ?? [])
    }

    /// True if a sound server runs. Checked first, because `pactl` would start a server if there is none.
    private var isServerRunning: Bool {
        if environment["PULSE_SERVER", default: ""].isEmpty == false { return true }
        let folders = [
            environment["PULSE_RUNTIME_PATH"], environment["XDG_RUNTIME_DIR"].map { $0 + "/pulse" },
        ]
        return folders.contains { folder in folder.map { access($0 + "/native", F_OK) == 0 } ?? false }
    }

    private var program: String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter {
            $0.hasPrefix("/")
        }
        return folders.map { "\($0)/pactl" }.first { access($0, X_OK) == 0 }
    }

    private func runQuery(_ program: String) -> [UInt8]? {
        guard let pipe = try? DescriptorPipe() else { return nil }
        var variables = environment
        variables["LC_ALL"] = "C.UTF-8"
        let plan = SpawnPlan(
            executable: program,
            arguments: ["--format=json", "list", "source-outputs"],
            environment: variables,
            standardOutput: pipe.writeEnd.number,
            standardError: -1,
            isTethered: true
        )
        guard let process = try? SpawnedProcess(plan) else { return nil }
        return Self.read(pipe.readEnd, of: process)
    }

    private static func read(_ end: OwnedDescriptor, of process: SpawnedProcess) -> [UInt8]? {
        let deadlineMs = Stopwatch.milliseconds() + timeout.ms
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        // This process also has the write end of the pipe open. So it waits for the end of `pactl`, not for the end of the data.
        while bytes.count < bytesMax {
            var items = [
                pollfd(fd: end.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: process.pidfd.number, events: Int16(POLLIN), revents: 0),
            ]
            let leftMs = deadlineMs - Stopwatch.milliseconds()
            guard leftMs > 0 else { break }
            let count = poll(&items, 2, Int32(clamping: leftMs))
            if count < 0 && errno != EINTR { break }
            if items[0].revents & Int16(POLLIN) != 0 {
                let count = Glibc.read(end.number, &part, part.count)
                if count > 0 { bytes += part[..<count] }
            } else if items[1].revents != 0 {
                return process.reap()?.isSuccess == true ? bytes : nil
            }
        }
        process.signal(SIGKILL)
        _ = process.wait(deadlineMs: 1_000)
        return nil
    }

    /// Returns the processes of the streams. Level meters do not record, so they are left out.
    static func pids(in bytes: [UInt8]) -> Set<Int32> {
        guard case .array(let streams)? = try? JSONValue(text: bytes) else { return [] }
        var found: Set<Int32> = []
        for stream in streams.prefix(streamsMax) {
            guard let properties = stream["properties"], stream["corked"] != .bool(true),
                properties["media.name"]?.string != "Peak detect"
            else { continue }
            for name in ["application.process.id", "pipewire.sec.pid"] {
                if let pid = properties[name]?.string.flatMap({ Int32($0) }) { found.insert(pid) }
            }
        }
        return found
    }
}
