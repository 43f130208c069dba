import Glibc
import STBaseline
import STContracts
import STServiceKit

/// What this program is when a bench starts it again: the other side of a baseline, or a service made for measuring.
enum BenchRole {
    case serve(endpoint: String, header: [UInt8], body: [UInt8])
    case publish(endpoint: String, subscribers: Int32, count: Int32, header: [UInt8], body: [UInt8])
    case collect(endpoint: String, count: Int32)
    case publisher
    case subscriber(Int)

    init?(arguments: [String]) {
        guard arguments.first == "--role", arguments.count > 1 else { return nil }
        let rest = Array(arguments.dropFirst(2))
        switch (arguments[1], rest.count) {
        case ("serve", 3):
            self = .serve(endpoint: rest[0], header: Array(rest[1].utf8), body: Array(rest[2].utf8))
        case ("publish", 5):
            self = .publish(
                endpoint: rest[0],
                subscribers: Int32(rest[1]) ?? 0,
                count: Int32(rest[2]) ?? 0,
                header: Array(rest[3].utf8),
                body: Array(rest[4].utf8)
            )
        case ("collect", 2): self = .collect(endpoint: rest[0], count: Int32(rest[1]) ?? 0)
        case ("publisher", 0): self = .publisher
        case ("subscriber", 1): self = .subscriber(Int(rest[0]) ?? 0)
        default: return nil
        }
    }

    func run() -> Never {
        switch self {
        case .serve(let endpoint, let header, let body):
            exit(st_baseline_serve(endpoint, header, header.count, body, body.count))
        case .publish(let endpoint, let subscribers, let count, let header, let body):
            exit(
                st_baseline_publish(endpoint, subscribers, count, header, header.count, body, body.count)
                    == count ? 0 : 1
            )
        case .collect(let endpoint, let count):
            exit(st_baseline_collect(endpoint, count) > 0 ? 0 : 1)
        case .publisher: ServiceProcess.main(BenchPublisher.definition(), arguments: [])
        case .subscriber(let number): ServiceProcess.main(BenchSubscriber.definition(number), arguments: [])
        }
    }
}
