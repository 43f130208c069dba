import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Doctor on a real sway", .serialized)
struct SwayDoctorTests {
    @Test("On sway the doctor reports the adapter and how apps are paused")
    func sway() async throws {
        try await SwayHouse.run { house in
            let text = try house.screentime("doctor")
            print(text)
            #expect(text.contains("sway"))
            #expect(text.contains("wlroots"))
            #expect(text.contains(house.ground == nil ? "SIGSTOP" : "freez"))
            _ = try JSONValue(text: Array(house.screentime("doctor", "--json").utf8))
        }
    }

    @Test("If sway is reachable only by XWayland, the doctor and a notification report an unobserved desktop")
    func xWayland() async throws {
        try await SwayHouse.run {
            $0.hasXWayland = true
            $0.environment = ["WAYLAND_DISPLAY": nil, "SWAYSOCK": nil]
            $0.source = "none"
        } _: { house in
            let text = try house.screentime("doctor", isWell: false)
            print(text)
            #expect(text.contains("XWayland"))
            #expect(text.contains("import-environment") && text.contains("WAYLAND_DISPLAY"))
            let status = try house.ask(DesktopStatus.self, Empty())
            #expect(status.isBlind == true)
            print(status)
            print(try house.screentime("status"))
            try await eventually(within: .seconds(120), "the person gets a notification") {
                let all = try house.ask(NotifyList.self, .init()).notifications
                guard let found = all.first(where: { $0.id.hasPrefix("sight/desktop/") }) else {
                    throw NotYet("\(all)")
                }
                #expect(found.title == "This desktop is not observed")
            }
        }
    }
}
