import STContracts
import STDesktop
import STDesktopCore
import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Replies to desktop.apps and desktop.windows")
struct AppsAnswerTests {
    private func catalogue(_ count: Int) throws -> AppCatalogue {
        let scratch = try ScratchDirectory()
        let folder = scratch.file("applications")
        try Directories.prepare(folder)
        for index in 0..<count {
            try scratch.write(
                "[Desktop Entry]\nType=Application\nName=App \(1_000 + index)\nName[ko]=앱 \(2_000 - index)\nExec=a\(index)\n"
                    + "Categories=Game;\n" + (index % 10 == 9 ? "NoDisplay=true\n" : ""),
                to: "applications/app\(index).desktop"
            )
        }
        return AppCatalogue.read([folder], languages: ["ko"], environment: [:])
    }

    private func page(
        _ catalogue: AppCatalogue?,
        request: DesktopCatalogue.Request = .init(),
        map: CategoryMap = CategoryMap()
    ) throws -> DesktopCatalogue.Reply {
        try CatalogueReplyBuilder.page(request, catalogue, categories: map, language: nil)
    }

    @Test("A request for apps before the catalogue is read fails and is retryable")
    func unread() throws {
        let problem = try #require(throws: Problem.self) { try page(nil) }
        #expect(problem.code == "unavailable" && problem.retryable)
        #expect(try page(AppCatalogue()).apps.isEmpty)
    }

    @Test(
        "Pages of any size list each app that menus show once, sorted by name",
        arguments: [1, 7, 200, nil] as [Int64?]
    )
    func pages(limit: Int64?) throws {
        let catalogue = try catalogue(60)
        var found: [CatalogueApp] = []
        var next: String?
        repeat {
            let page = try page(catalogue, request: .init(next: next, limit: limit))
            #expect(page.version == catalogue.version && Int64(page.apps.count) <= limit ?? 200)
            found += page.apps
            next = page.next
        } while next != nil
        #expect(found.count == 54 && Set(found.map(\.app)).count == 54)
        #expect(found.map(\.name) == found.map(\.name).sorted())
    }

    @Test("Apps are listed in the requested language, sorted by that name, with the category a person chose")
    func language() throws {
        let catalogue = try catalogue(3)
        var map = CategoryMap()
        map.set(app: "app1", .education)
        let page = try page(catalogue, request: .init(language: "ko_KR"), map: map)

        #expect(page.apps.map(\.name) == ["앱 1998", "앱 1999", "앱 2000"])
        #expect(page.apps.map(\.category) == ["games", "education", "games"])
        #expect(
            try CatalogueReplyBuilder.page(.init(), catalogue, categories: map, language: "ko").apps
                == page.apps
        )
    }

    @Test("A page of an older list, and an invalid page, limit or language, are refused")
    func refused() throws {
        let old = try catalogue(5)
        let next = try #require(try page(old, request: .init(limit: 2)).next)
        let new = try catalogue(6)
        for (request, code) in [
            (DesktopCatalogue.Request(next: next), "page.changed"), (.init(next: "x"), "page.invalid"),
            (.init(next: "\(new.version)/99999999999999999999"), "page.invalid"),
            (.init(next: "\(new.version)/7"), "page.invalid"),
            (.init(next: "\(new.version)/-1"), "page.invalid"),
            (.init(limit: 0), "page.bad_limit"), (.init(limit: 201), "page.bad_limit"),
            (.init(language: ""), "desktop.bad_language"),
            (.init(language: "../etc"), "desktop.bad_language"),
            (.init(language: String(repeating: "k", count: 36)), "desktop.bad_language"),
        ] {
            let problem = #expect(throws: Problem.self) { try page(new, request: request) }
            #expect(problem?.code == code)
        }
    }

    // MARK: - Windows

    private func scene(_ count: Int) -> DesktopModel {
        var scene = DesktopModel()
        for index in 0..<count {
            var window = DesktopWindow(id: WindowID("x11:0x\(100 + index)"), title: "Window \(index)", pid: 7)
            window.isShown = index % 2 == 0
            window.isChrome = index == 1
            scene.apply(.window(window)) { _ in
                AppIdentity(
                    id: "app\(index)",
                    name: "App",
                    clue: .executable,
                    steps: [Message(verbatim: "So it is.")]
                )
            }
        }
        scene.apply(.focus(WindowID("x11:0x103"), atBootMs: 5)) { _ in nil }
        return scene
    }

    @Test("The list of windows begins with the foreground window, and a panel has no app")
    func windows() throws {
        let reply = try WindowReplyBuilder.page(.init(), scene: scene(5)) {
            $0.id == "app2" ? Message(verbatim: "It is a terminal.") : nil
        }

        #expect(
            reply.windows.map(\.window) == ["x11:0x103", "x11:0x100", "x11:0x102", "x11:0x104", "x11:0x101"]
        )
        #expect(reply.windows[0].isInFront && reply.windows[0].app == "app3" && reply.windows[0].pid == 7)
        #expect(reply.windows[2].neverPaused?.english == "It is a terminal.")
        #expect(reply.windows[1].neverPaused == nil)
        #expect(reply.windows[4].app == nil && reply.windows[4].steps.count == 1)
        #expect(reply.next == nil)
    }

    @Test("Pages of at most 50 list each of 200 windows once")
    func manyWindows() throws {
        let scene = scene(200)
        var found: [String] = []
        var next: String?
        repeat {
            let page = try WindowReplyBuilder.page(.init(next: next), scene: scene)
            #expect(page.windows.count <= 50)
            found += page.windows.map(\.window)
            next = page.next
        } while next != nil
        #expect(found.count == 200 && Set(found).count == 200)
    }

    @Test("A window can be requested by its ID or as the foreground window, and invalid requests are refused")
    func one() throws {
        let scene = scene(5)
        #expect(
            try WindowReplyBuilder.page(.init(window: "x11:0x102"), scene: scene).windows.map(\.app) == [
                "app2"
            ]
        )
        #expect(
            try WindowReplyBuilder.page(.init(window: "front"), scene: scene).windows.map(\.app) == ["app3"]
        )
        for (request, code) in [
            (DesktopWindows.Request(window: "x11:0x9"), "window.not_found"),
            (.init(window: ""), "window.bad_id"),
            (.init(window: "a b"), "window.bad_id"),
            (.init(window: String(repeating: "x", count: 65)), "window.bad_id"),
            (.init(next: "-1"), "page.invalid"), (.init(next: "x"), "page.invalid"),
            (.init(limit: 51), "page.bad_limit"),
        ] {
            let problem = #expect(throws: Problem.self) { try WindowReplyBuilder.page(request, scene: scene) }
            #expect(problem?.code == code)
        }
        let problem = #expect(throws: Problem.self) {
            try WindowReplyBuilder.page(.init(window: "front"), scene: DesktopModel())
        }
        #expect(problem?.code == "window.none_in_front")
    }
}
