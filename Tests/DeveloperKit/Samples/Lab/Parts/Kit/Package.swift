// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Kit",
    platforms: [.iOS(.v16)],
    products: [.library(name: "Rules", targets: ["Rules"])],
    targets: [.target(name: "Rules", dependencies: ["Words"]), .target(name: "Words")]
)
