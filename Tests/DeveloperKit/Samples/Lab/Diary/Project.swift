import ProjectDescription

let group = "group.dev.example.diary"
let entitlements: Entitlements = .dictionary([
    "com.apple.developer.family-controls": true,
    "com.apple.security.application-groups": [.string("group.dev.example.diary")],
])

let project = Project(
    name: "Diary",
    settings: .settings(base: ["SWIFT_VERSION": "5.9"]),
    targets: [
        .target(
            name: "Diary",
            destinations: .iOS,
            product: .app,
            bundleId: "dev.example.diary",
            sources: ["App/**", "Book/**"],
            entitlements: entitlements,
            dependencies: [
                .target(name: "DiaryMonitor"), .target(name: "DiaryShield"), .target(name: "DiaryReport"),
            ]
        ),
        .target(
            name: "DiaryMonitor",
            destinations: .iOS,
            product: .appExtension,
            bundleId: "dev.example.diary.monitor",
            infoPlist: .extendingDefault(with: [
                "NSExtension": [
                    "NSExtensionPointIdentifier": "com.apple.deviceactivity.monitor-extension",
                    "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).DiaryMonitor",
                ]
            ]),
            sources: ["Monitor/**"] + ["Book/*.swift"],
            entitlements: entitlements
        ),
        .target(
            name: "DiaryShield",
            destinations: .iOS,
            product: .appExtension,
            bundleId: "dev.example.diary.shield",
            infoPlist: .extendingDefault(with: [
                "NSExtension": [
                    "NSExtensionPointIdentifier": "com.apple.ManagedSettingsUI.shield-configuration-service",
                    "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).DiaryShield",
                ]
            ]),
            sources: [.glob("Shield/**", excluding: ["Shield/Drafts/**"]), "Book/**/*.swift"],
            entitlements: entitlements
        ),
        .target(
            name: "DiaryReport",
            destinations: .iOS,
            product: .extensionKitExtension,
            bundleId: "dev.example.diary.report",
            infoPlist: .extendingDefault(with: [
                "EXAppExtensionAttributes": [
                    "EXExtensionPointIdentifier": "com.apple.deviceactivityui.report-extension"
                ]
            ]),
            sources: ["Report/**", "Book/**"],
            entitlements: entitlements
        ),
    ]
)
