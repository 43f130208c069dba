import Glibc
import STDBus
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("D-Bus connections")
struct DesktopBusTests {
    @Test("A closed D-Bus connection refuses every call, and a call during the close returns")
    func closed() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let session = try SessionBus(scratch)
        let dbus = "org.freedesktop.DBus"
        let call = DBusCall(dbus, path: "/org/freedesktop/DBus", interface: dbus, member: "GetId")
        for _ in 0..<20 {
            let bus = try DBusConnection(address: session.address)
            _ = try await bus.call(call, withinMs: 20_000)
            async let racing: [DBusValue]? = try? bus.call(call, withinMs: 20_000)
            bus.close()
            _ = await racing
            await #expect(throws: Problem.self) { try await bus.call(call, withinMs: 20_000) }
            await #expect(throws: Problem.self) {
                try await bus.match("type='signal'", withinMs: 20_000) { _ in }
            }
            await #expect(throws: Problem.self) { try await bus.uniqueName() }
        }
    }

    @Test("A D-Bus connection to a bus that never answers closes within 30 s", .timeLimit(.minutes(1)))
    func silent() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let silent = try SilentBus(scratch.file("bus"))
        let dbus = "org.freedesktop.DBus"
        let call = DBusCall(dbus, path: "/org/freedesktop/DBus", interface: dbus, member: "GetId")
        for drops in [false, true] {
            let bus = try DBusConnection(address: silent.address)
            await #expect(throws: Problem.self) { try await bus.call(call, withinMs: 200) }
            let sinceMs = Stopwatch.milliseconds()
            if drops { bus.closeWithoutFlush() } else { bus.close() }
            // The library's own limit is a minute and a half.
            #expect(Stopwatch.milliseconds() - sinceMs < 30_000)
        }
    }

    @Test("A D-Bus connection transfers file descriptors")
    func descriptors() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let session = try SessionBus(scratch)
        try scratch.write("words", to: "file")
        let server = try DBusConnection(address: session.address)
        defer { server.close() }
        let path = scratch.file("file")
        try await server.serve(path: "/files") { _ in
            let number = open(path, O_RDONLY | O_CLOEXEC)
            return number < 0 ? nil : .success([.descriptor(OwnedDescriptor(number))])
        }
        let client = try DBusConnection(address: session.address)
        defer { client.close() }
        let name = try await server.uniqueName()
        let reply = try await client.call(
            .init(name, path: "/files", interface: "org.example.Files", member: "Open"),
            withinMs: 20_000
        )
        guard case .descriptor(let file)? = reply.first else {
            Issue.record("\(reply)")
            return
        }
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = read(file.number, &buffer, buffer.count)
        #expect(count == 5 && String(decoding: buffer.prefix(5), as: UTF8.self) == "words")
    }
}
