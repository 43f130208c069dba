import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import STTestKit
import Synchronization
import Testing

@testable import DeviceActivity
@testable import FamilyControls

/// Tests against real services: one after the other, because each of them wants the whole machine.
@Suite("Frameworks and services", .serialized)
enum ServicesSuite {}

/// What an app has, with services of a test: its link, its centers, and the questions that it put.
final class AppDesk: Sendable {
    let link: ClientLink
    let authorization: AuthorizationCenter
    private let channel: ServiceChannel
    private let asked: Asked

    private final class Asked: Sendable {
        let requests = Mutex<[String]>([])
    }

    init(_ app: String, _ directories: Directories, member: String? = nil) throws {
        channel = try ServiceChannel(directories)
        var environment = ["SCREENTIME_APP": app]
        environment["SCREENTIME_MEMBER"] = member
        link = ClientLink(identity: AppIdentity(environment: environment, executable: app), channel: channel)
        let asked = Asked()
        self.asked = asked
        authorization = AuthorizationCenter(link: link) { _, request in
            asked.requests.withLock { $0.append(request) }
            return nil
        }
    }

    var center: DeviceActivityCenter { DeviceActivityCenter(link: link) }

    /// The ids of the questions that were put to a person.
    var questions: [String] { asked.requests.withLock { $0 } }

    func close() { channel.close() }
}
