import STCommandCore
import STContracts
import STPlatform

/// Built-in reports of the made-up household.
struct SceneDesk {
    let house = ReportHouse()

    func options(_ scene: ReportTemplate, language: DisplayLanguage, more: [String: String] = [:]) throws
        -> ReportOptions
    {
        var options = more
        options["--context"] = scene.rawValue
        options["--language"] = language.code
        let invocation = Invocation(
            subjects: [],
            options: options,
            environment: [:],
            directories: Directories(run: "/nowhere", state: "/nowhere", config: "/nowhere"),
            terminal: Terminal(isTerminal: false, isColoured: false, columns: 100)
        )
        return try ReportOptions(invocation, now: ReportHouse.now, ReportHouse.clock)
    }

    func input(
        _ scene: ReportTemplate,
        language: DisplayLanguage,
        more: [String: String] = [:],
        period: ReportPeriod? = nil
    ) throws -> ReportInput {
        var options = try options(scene, language: language, more: more)
        if let period { options.period = period }
        let questions = ReportRequests(
            scene,
            options: options,
            now: ReportHouse.now,
            clock: ReportHouse.clock
        )
        return ReportInput(
            language: language,
            clock: ReportHouse.clock,
            period: options.period,
            now: ReportHouse.now,
            key: options.key,
            top: options.top ?? scene.top,
            compares: options.compares,
            member: options.member,
            material: house.material(questions, isTimeline: scene == .timeline)
        )
    }

    func page(_ scene: ReportTemplate, language: DisplayLanguage, more: [String: String] = [:]) throws -> Page
    {
        scene.page(try input(scene, language: language, more: more))
    }

    /// All that stands on a page, in its order.
    static func texts(_ page: Page) -> [String] {
        page.variants[0].nodes.flatMap { node -> [String] in
            (node.runs ?? []).map(\.text) + (node.chart?.marks.compactMap(\.says) ?? [])
                + [node.chart?.summary].compactMap { $0 }
        }
    }
}
