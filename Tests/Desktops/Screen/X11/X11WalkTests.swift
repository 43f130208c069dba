import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Random walks on an X display")
struct X11WalkTests {
    private static let steps = TestScale.count(500, soak: 10_000)

    private static let seed =
        ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
        ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds())

    private static let titles = ["plain", "한국어", "\u{1F4BB} two words", "x"]

    @Test(
        "After a random walk on X the adapter reports the windows that exist, and memory stays bounded"
    )
    func walk() throws {
        let stage = try XStage()
        defer { stage.end() }
        var random = SeededRandom(seed: Self.seed)
        let program = try stage.program()
        var living: [XHandle] = []
        var covers: [String] = []
        var pssAtStart: Int64 = 0
        for step in 0..<Self.steps {
            try takeStep(stage, program: program, living: &living, covers: &covers, random: &random)
            if step == Self.steps / 4 { pssAtStart = ProcessMemory.sample(pid: getpid())?.pssBytes ?? 0 }
            if step % 250 == 249 { try compare(stage, step) }
        }
        try compare(stage, Self.steps)
        let pssAtEnd = ProcessMemory.sample(pid: getpid())?.pssBytes ?? 0
        print(
            "\(Self.steps) steps: PSS \(TextFormat.bytes(pssAtStart)) → \(TextFormat.bytes(pssAtEnd)), seed \(Self.seed)"
        )
        // The test keeps every event, so its memory grows, but a leak of pictures or windows is larger. Only the soak runs no
        // other tests in this process at the same time.
        #expect(pssAtEnd - pssAtStart < 64 << 20 || !TestScale.isSoak)
        #expect(stage.losses == 0)
    }

    private func takeStep(
        _ stage: XStage,
        program: LineProgram,
        living: inout [XHandle],
        covers: inout [String],
        random: inout SeededRandom
    ) throws {
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        if living.isEmpty || (living.count < 12 && number(6) == 0) {
            let place = "\(number(900)) \(number(500)) \(50 + number(500)) \(50 + number(300))"
            let words = try program.ask("map w\(number(1_000)) C\(number(5)) \(place)").split(separator: " ")
            guard words.count == 2, let index = Int(words[0]), let id = UInt32(words[1]) else { return }
            return living.append(XHandle(program: program, number: index, id: id))
        }
        let index = number(living.count)
        let handle = living[index]
        switch number(17) {
        case 0: try handle.tell("move \(number(1_200)) \(number(700))")
        case 1: try handle.tell("resize \(1 + number(900)) \(1 + number(600))")
        case 2: try handle.tell("raise")
        case 3: try handle.tell("activate")
        case 4: try handle.tell("focus")
        case 5: try handle.tell("minimize")
        case 6: try handle.tell("fullscreen \(number(2) == 0 ? "on" : "off")")
        case 7: try handle.tell("desktop \(number(2))")
        case 8: try handle.tell("title \(Self.titles[number(4)])")
        case 9: try handle.tell(number(2) == 0 ? "title-bytes 65536 41" : "title-bytes 40 c3")
        case 10: try handle.tell("unmap")
        case 11: try handle.tell("show")
        case 12:
            try handle.tell("destroy")
            living.remove(at: index)
        case 13: try program.ask("storm \(1 + number(5))")
        case 14:
            let name = "c\(number(6))"
            stage.perform(.openPane(stage.order(name, over: handle)), .holdInput(PaneID(name)))
            covers.append(name)
        case 15: try paint(stage, covers.last)
        default:
            if let name = covers.popLast() { stage.perform(.closePane(PaneID(name))) }
        }
    }

    /// Paints a picture with the size in the last event, which may be outdated.
    private func paint(_ stage: XStage, _ name: String?) throws {
        guard let name else { return }
        let sizes = stage.told(name).compactMap { event -> (Int, Int)? in
            if case .shown(let width, let height, _, _) = event { (width, height) } else { nil }
        }
        guard let (width, height) = sizes.last else { return }
        let path = stage.scratch.file("picture-\(width)-\(height)")
        let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        ftruncate(file.number, off_t(width * height * 4))
        let spot = PaneSpot(id: "all", frame: ScreenRect(x: 0, y: 0, width: width, height: height))
        stage.perform(
            .paint(
                PaneID(name),
                PanePicture(path: path, width: width, height: height, scale: 1, spots: [spot])
            )
        )
    }

    private func compare(_ stage: XStage, _ step: Int) throws {
        var last: [String] = []
        let isSame = comesTrue {
            last = try XTruth.differences(stage)
            return last.isEmpty
        }
        #expect(isSame, "after \(step) steps, seed \(Self.seed): \(last)")
    }
}
