import Foundation
public import ManagedSettings
import STFoundationTypes

/// The apps and sites of the device by their names, which an app may know in the European Union alone.
///
/// No person gives that permission here, so all of it is refused, as to an app without it.
public final class FamilyActivityData: Sendable {
    public static let shared = FamilyActivityData()

    private init() {}

    public var activityCategories: Set<ActivityCategory> {
        get async throws { throw refused("activityCategories") }
    }

    public var installedApplications: [Application] {
        get async throws { throw refused("installedApplications") }
    }

    public var visitedWebDomains: [WebDomain] { get async throws { throw refused("visitedWebDomains") } }

    private func refused(_ name: String) -> FamilyControlsError {
        FrameworkLog.withoutEffect("FamilyActivityData.\(name)", "FamilyControls")
        return .unauthorized
    }
}
