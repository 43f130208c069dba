import Glibc
import STCScreen.Watching
import STPlatform

/// `screentime-x11-observer X Y` watches one pixel of the screen. It writes a line whenever the colour changes: microseconds of
/// boot time, and the colour as `#rrggbb`.
///
/// The first line is the colour at the start. The program sees only pixels, and no windows.
@main
enum Main {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int16($0) }
        guard numbers.count == 2, let observer = Observer(x: numbers[0], y: numbers[1]) else { exit(1) }
        observer.run()
    }
}

/// Waits for the server's damage events, and reads the pixel through shared memory.
final class Observer {
    private let connection: OpaquePointer
    private let root: UInt32
    private let x: Int16
    private let y: Int16
    private let damage: UInt32
    private let firstEvent: UInt8
    private let segment: UInt32
    private let memory: UnsafeMutableRawPointer
    private var last: UInt32?

    init?(x: Int16, y: Int16) {
        var firstEvent: UInt8 = 0
        guard let made = xcb_connect(nil, nil), xcb_connection_has_error(made) == 0,
            let screen = xcb_setup_roots_iterator(xcb_get_setup(made)).data?.pointee,
            st_has_damage(made, &firstEvent)
        else { return nil }
        let shared = shmget(key_t(0), 4_096, Int32(0o1000 | 0o600))
        // shmat returns -1 on failure.
        guard shared >= 0, let memory = shmat(shared, nil, 0), Int(bitPattern: memory) != -1 else {
            return nil
        }
        segment = xcb_generate_id(made)
        let attached = xcb_request_check(made, xcb_shm_attach_checked(made, segment, UInt32(shared), 0))
        // The segment remains until both processes have detached it.
        shmctl(shared, 0, nil)
        guard attached == nil else { return nil }
        damage = xcb_generate_id(made)
        xcb_damage_create(made, damage, screen.root, UInt8(XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY.rawValue))
        connection = made
        root = screen.root
        self.memory = memory
        self.firstEvent = firstEvent
        self.x = x
        self.y = y
    }

    func run() {
        look()
        while xcb_connection_has_error(connection) == 0 {
            xcb_flush(connection)
            guard let event = xcb_wait_for_event(connection) else { return }
            let isDamage = event.pointee.response_type & 0x7F == firstEvent
            free(event)
            guard isDamage else { continue }
            // Subtract first: drawing during the read is then reported again.
            xcb_damage_subtract(connection, damage, 0, 0)
            look()
        }
    }

    private func look() {
        let cookie = xcb_shm_get_image(
            connection,
            root,
            x,
            y,
            1,
            1,
            .max,
            UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue),
            segment,
            0
        )
        guard let reply = xcb_shm_get_image_reply(connection, cookie, nil) else { return }
        free(reply)
        let colour = memory.load(as: UInt32.self) & 0xFF_FFFF
        guard colour != last else { return }
        last = colour
        let digits = String(colour, radix: 16)
        let padded = String(repeating: "0", count: 6 - digits.count) + digits
        let bytes = Array("\(Stopwatch.bootMicroseconds()) #\(padded)\n".utf8)
        _ = write(1, bytes, bytes.count)
    }
}
