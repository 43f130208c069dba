import STContracts
import STPlatform

/// A scene of which nobody needs to know the kind.
@MainActor
struct ReportScene {
    let context: String
    /// The page of the data.
    let page: (DeviceActivityResults<DeviceActivityData>, ReportPageStyle) async throws -> Page

    private init(_ scene: some DeviceActivityReportScene) {
        context = scene.context.rawValue
        page = { data, style in
            let configuration = await scene.makeConfiguration(representing: data)
            try style.check()
            return try await PageBuilder.page(
                of: scene.content(configuration),
                language: style.language,
                zone: style.zone
            )
        }
    }

    static func all(of scene: some DeviceActivityReportScene) -> [ReportScene] {
        (scene as? ReportSceneList)?.scenes ?? [ReportScene(scene)]
    }
}

/// In whose words a page is, and whether what it is about is whole.
struct ReportPageStyle {
    var language: String
    var zone: String?
    /// Throws when the data broke off: half of a report would look like a whole one.
    var check: () throws -> Void
}
