import DeviceActivity
import Foundation
import Glibc
import SwiftUI

/// An empty view.
struct NothingReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .nothing
    let content: (Int) -> NothingView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> Int { 0 }
}

struct NothingView: View {
    var body: some View {
        VStack {
            Spacer()
            if false { Text("never") }
        }
    }
}

/// Iterates over the data forever.
struct EndlessReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .endless
    let content: (Int) -> Text

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> Int {
        var rounds = 0
        while !Task.isCancelled {
            for await _ in data { rounds += 1 }
            try? await Task.sleep(nanoseconds: 20_000_000)
        }
        return rounds
    }
}

/// Ten megabytes of text.
struct HugeReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .huge
    let content: (String) -> Text

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> String {
        String(repeating: "0123456789", count: 1 << 20)
    }
}

/// Ten thousand nested views.
struct DeepReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .deep
    let content: (Int) -> DeepView

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> Int {
        10_000
    }
}

struct DeepView: View {
    let levels: Int

    var body: some View {
        (0..<levels).reduce(AnyView(Text("deep"))) { inner, _ in AnyView(VStack { inner }) }
    }
}

/// Allocates three hundred megabytes.
struct GreedyReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .greedy
    let content: (Int) -> Text

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> Int {
        var parts: [[UInt8]] = []
        for _ in 0..<300 { parts.append([UInt8](repeating: 7, count: 1 << 20)) }
        return parts.reduce(0) { $0 + $1.count }
    }
}

/// Shows what it can reach on the network.
struct NetReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .net
    let content: (String) -> Text

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> String {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { return "no socket: \(errno)" }
        defer { close(number) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        // The discard port, which a report must not reach.
        address.sin_port = in_port_t(9).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, size) }
        }
        return result == 0 ? "connected" : errno == ECONNREFUSED ? "reached" : "unreachable"
    }
}

/// Crashes while making the report.
struct CrashReport: DeviceActivityReportScene {
    let context: DeviceActivityReport.Context = .crash
    let content: (String) -> Text

    func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async -> String {
        var names: [String] = []
        for await person in data { names.append(person.user.appleID ?? "-") }
        // An index outside of the array.
        return names[names.count + 1]
    }
}
