import Glibc
import STDesktop
import STPausing
import STPlatform
import STTestSupport
import Testing

extension RealProcesses {
    @Suite("Calls and recordings")
    struct UnderwayTests {
        @Test("A camera or microphone that an app or its child has open is detected")
        func devices() async throws {
            let folder = try ScratchDirectory()
            try folder.write("", to: "video0")
            try folder.write("", to: "pcmC0D0c")
            try folder.write("", to: "pcmC0D0p")
            let desk = try Desk(devices: [
                RecordingDevice(.camera, prefix: folder.file("video")),
                RecordingDevice(.microphone, prefix: folder.file("pcmC"), suffix: "c"),
            ])
            let camera = try ProcessTree("(exec 3<\(folder.file("video0")); sleep 600) & sleep 600")
            let sound = try ProcessTree("exec 3<\(folder.file("pcmC0D0c")); sleep 600")
            let player = try ProcessTree("exec 3<\(folder.file("pcmC0D0p")); sleep 600 & sleep 600")
            #expect(camera.has(3) && sound.has(2) && player.has(3))
            for (tree, name) in [(camera, "video0"), (sound, "pcmC0D0c"), (player, "pcmC0D0p")] {
                let path = folder.file(name)
                #expect(
                    comesTrue {
                        tree.pids.contains { ProcessFolder($0).descriptors?.contains(path) == true }
                    }
                )
            }

            #expect(
                await desk.pauser.activeRecording(app: "a", pids: [camera.root])?.english.contains("camera")
                    == true
            )
            #expect(
                await desk.pauser.activeRecording(app: "b", pids: [sound.root])?.english.contains(
                    "microphone"
                )
                    == true
            )
            #expect(await desk.pauser.activeRecording(app: "c", pids: [player.root]) == nil)
            #expect(await desk.pauser.activeRecording(app: "d", pids: []) == nil)
            await desk.pauser.close()
        }

        @Test("Unreadable output of pactl is ignored, and a valid reply reports the microphone")
        func slowOrBroken() async throws {
            let folder = try ScratchDirectory()
            let app = try ProcessTree("exec sleep 600")
            for text in [
                "sleep 60", "echo '{'", "exit 1", "head -c 3000000 /dev/zero", "echo '[{\"properties\":3}]'",
            ] {
                try folder.write("#!/bin/sh\n\(text)\n", to: "pactl", mode: 0o700)
                let environment = ["PATH": "\(folder.path):/usr/bin:/bin", "PULSE_SERVER": "unix:/nowhere"]
                let desk = try Desk(environment: environment)
                #expect(await desk.pauser.activeRecording(app: "app", pids: [app.root]) == nil, "\(text)")
                await desk.pauser.close()
            }
            try folder.write(
                "#!/bin/sh\necho '[{\"corked\":false,\"properties\":{\"application.process.id\":\"\(app.root)\"}}]'\n",
                to: "pactl",
                mode: 0o700
            )
            let desk = try Desk(environment: ["PATH": "\(folder.path):/bin", "PULSE_SERVER": "unix:/nowhere"])
            try await eventually("a reply in time is used") {
                let said = await desk.pauser.activeRecording(app: "app", pids: [app.root])
                guard said?.english.contains("microphone") == true else {
                    throw NotYet("\(String(describing: said))")
                }
            }
            await desk.pauser.close()
        }

        private static let hasPulse = ["pulseaudio", "pactl", "parecord"].allSatisfy {
            access("/usr/bin/\($0)", X_OK) == 0
        }

        @Test(
            "A recording through a real sound server is detected",
            .enabled(if: hasPulse, "no pulseaudio here")
        )
        func pulse() async throws {
            let folder = try ScratchDirectory()
            let environment = [
                "HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("runtime"),
                "PULSE_COOKIE": folder.file("cookie"),
                "PATH": "/usr/bin:/bin",
            ]
            try Directories.prepare(folder.file("runtime"))
            let server = try ProcessTree(
                "exec pulseaudio --daemonize=no --exit-idle-time=-1 --use-pid-file=no -n --disable-shm=yes "
                    + "-L 'module-null-sink sink_name=quiet' -L module-native-protocol-unix",
                environment: environment
            )
            #expect(server.has(1))
            #expect(comesTrue { access(folder.file("runtime/pulse/native"), F_OK) == 0 })
            let desk = try Desk(environment: environment)
            let recorder = try ProcessTree(
                "parecord --device=quiet.monitor --raw /dev/null & wait",
                environment: environment
            )
            let quiet = try ProcessTree("sleep 600", environment: environment)

            try await eventually(within: .seconds(30), "the recording is seen") {
                let sentence = await desk.pauser.activeRecording(app: "recorder", pids: [recorder.root])
                guard sentence?.english.contains("microphone") == true else {
                    throw NotYet("\(String(describing: sentence))")
                }
            }
            #expect(await desk.pauser.activeRecording(app: "quiet", pids: [quiet.root]) == nil)
            await desk.pauser.close()
        }
    }
}
