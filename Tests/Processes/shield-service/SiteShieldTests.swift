import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension ShieldSuite {
    @Suite("Shields of sites")
    struct SiteShieldTests {
        @Test("The shield that browser-host sends to the browser has the fields `host` and `look.title.text`")
        func names() async throws {
            try await ShieldWorld.run { world in
                try await world.install("a")
                try await world.shield("a", "video.example", kind: .domain)
                let pipe = try DescriptorPipe()
                let replies = world.system.scratch.file("replies")
                let output = OwnedDescriptor(open(replies, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
                let process = try SpawnedProcess(
                    SpawnPlan(
                        executable: try BuiltTree.program("browser-host"),
                        environment: [
                            "HOME": world.system.scratch.path, "SCREENTIME_RUN": world.system.directories.run,
                            "SCREENTIME_STATE": world.system.directories.state,
                        ],
                        standardOutput: output.number,
                        descriptors: [0: pipe.readEnd.number]
                    )
                )
                defer {
                    process.signalGroup(SIGKILL)
                    _ = process.wait(deadlineMs: 20_000)
                }
                let tabs = #"""
                    {"tab":{"version":"0.6","focused":true,"is_private":false,"host":"video.example"},
                     "hosts":["video.example"]}
                    """#
                let frame = withUnsafeBytes(of: UInt32(tabs.utf8.count)) { Array($0) } + tabs.utf8
                #expect(OwnedDescriptor.write(frame, to: pipe.writeEnd.number))
                let message = try await eventually("browser-host has sent the shield") {
                    let bytes = try AtomicFile.read(replies, limitBytes: 1 << 20)
                    guard bytes.count > 4 else { throw NotYet("\(bytes.count) bytes") }
                    let count = bytes.withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
                    guard bytes.count >= 4 + count else { throw NotYet("\(bytes.count) of \(count) bytes") }
                    return try JSONValue(text: Array(bytes[4..<4 + count]))
                }
                #expect(message["host"]?.string == "video.example", "\(message)")
                #expect(message["look"]?["title"]?["text"]?.string == "site alone", "\(message)")
            }
        }
    }
}
