import STPlatform

/// Says whether an app records sound or pictures at this moment; on a thread of its own, because a sound server may be
/// slow to answer.
actor UnderwayWatch {
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

    func sentence(app: String, pids: [Int32], facts: NeverFacts, tree: CgroupTree?) -> String? {
        let family = ProcessFamily(app: app, pids: pids, view: .now(), facts: facts, tree: tree)
        guard !family.members.isEmpty else { return nil }
        let kinds = family.members.keys.reduce(into: Set<RecordingDevice.Kind>()) { kinds, pid in
            for path in ProcessDetails.descriptors(pid) ?? [] {
                for device in devices where device.matches(path) { kinds.insert(device.kind) }
            }
        }
        if kinds.contains(.camera) { return "It uses the camera: a call or a recording is under way." }
        if kinds.contains(.microphone) || !sound.pids().isDisjoint(with: family.members.keys) {
            return "It listens to the microphone: a call or a recording is under way."
        }
        return nil
    }
}
