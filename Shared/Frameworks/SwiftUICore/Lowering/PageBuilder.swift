package import STContracts

/// Makes pages of views.
@MainActor
package enum PageBuilder {
    /// What a view is, without waiting for what it does in the background.
    package static func page<V: View>(
        of view: V,
        language: String = "en",
        zone: String? = nil,
        title: String? = nil
    ) throws -> Page {
        try PageMaking(view, language: language, zone: zone, title: title).page()
    }

    /// What a view is, when its tasks have run.
    package static func page<V: View>(
        of view: V,
        language: String = "en",
        zone: String? = nil,
        title: String? = nil
    ) async throws -> Page {
        let making = PageMaking(view, language: language, zone: zone, title: title)
        var page = try making.page()
        var round = 0
        while making.hasTasks, round < PageMaking<V>.roundsMax {
            round += 1
            await making.runTasks()
            page = try making.page()
        }
        return page
    }
}
