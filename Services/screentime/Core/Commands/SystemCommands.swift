import STPlatform

/// Starting, stopping and installing the services.
package enum SystemCommands {
    package static let commands: [Command] = [up, down, enable, disable]

    private static let demo = Command.Option("--demo", nil, "a made-up household, apart from your own data")

    private static let up = Command(
        ["system", "up"],
        "start the services, watch them, and show what they say",
        options: [
            Command.Option("--only", "NAMES", "only these services, with commas between them"),
            demo,
            Command.Option("--detach", nil, "go on in the background once all are ready"),
            Command.Option("--fresh", nil, "forget first what was recorded"),
            Command.Option("--yes", nil, "do not ask before --fresh removes anything"),
            Command.Option("--verbose", nil, "show debug lines as well"),
        ],
        example: "screentime system up --detach",
        run: SystemUp.run
    )

    private static let down = Command(
        ["system", "down"],
        "stop the services",
        options: [demo],
        example: "screentime system down",
        run: SystemDown.run
    )

    private static let enable = Command(
        ["system", "enable"],
        "have systemd start the services at every login",
        options: [Command.Option("--print", nil, "show the units, and change nothing")],
        example: "screentime system enable"
    ) { invocation in
        let request = try SystemEnable(invocation)
        if invocation.has("--print") { return try request.printUnits() }
        return try await OwnThread.run("enable") { try request.enable() }
    }

    private static let disable = Command(
        ["system", "disable"],
        "stop the services and remove their systemd units",
        example: "screentime system disable"
    ) { invocation in
        let request = try SystemEnable(invocation)
        return try await OwnThread.run("disable") { try request.disable() }
    }
}
