import STContracts
package import STCrypto
package import STEngine
package import STPlatform
import STStore

/// The household, its apps, and the permissions that members give to apps.
package enum AuthService {
    /// Returns the definition of the service.
    ///
    /// `owner` is the account for which this system runs, and the first member. `accounts` returns the accounts of this computer.
    /// `formerSeat` is the member whom a configuration from before version 0.6 names as the computer's user.
    package static func definition(
        owner: String?,
        deviceName: String,
        accounts: @escaping @Sendable () -> [ComputerAccount] = ComputerAccount.all,
        formerSeat: String = "",
        cost: PasswordCost = .interactive
    ) -> ServiceDefinition<AuthState> {
        let passcodes = Passcodes(cost: cost)
        return ServiceDefinition(
            name: .auth,
            migrations: AuthTables.migrations,
            streams: [.authorization],
            load: { try AuthTables.load($0) },
            begin: { state, change in
                try begin(&state, change, owner: owner, deviceName: deviceName)
                try Household.takeOver(formerSeat, &state, change)
            },
            routes: householdRoutes(passcodes, accounts) + permissionRoutes(passcodes) + appRoutes(passcodes)
                + tokenRoutes
        )
    }

    private static func householdRoutes(
        _ passcodes: Passcodes,
        _ accounts: @escaping @Sendable () -> [ComputerAccount]
    ) -> [ServiceRoute<AuthState>] {
        [
            .read(MemberList.self) { state, _, _ in try Household.list(state) },
            .write(MemberAdd.self) { state, member, _, change in
                try Household.add(member, to: &state, change)
            },
            .write(MemberSet.self) { state, request, context, change in
                try Household.set(request, passcodes, accounts, &state, context, change)
            },
            .write(MemberRemove.self) { state, request, context, change in
                try Household.remove(request, passcodes, &state, context, change)
            },
            .query(MemberShow.self) { state, request, context, database in
                try MemberStory.show(request, state, context.now, database)
            },
            .write(MemberPasscode.self) { state, request, context, change in
                try passcodes.set(request, &state, context, change)
            },
            .write(AuthProve.self) { state, request, context, change in
                try passcodes.prove(request, &state, context, change)
            },
            .read(AuthNotices.self) { state, _, _ in AuthNotices.Reply(notices: state.notices) },
        ]
    }

    private static func permissionRoutes(_ passcodes: Passcodes) -> [ServiceRoute<AuthState>] {
        [
            .read(AuthStatus.self) { state, request, _ in
                try Permissions.status(request.app, request.member, state)
            },
            .read(AuthorizationList.self) { state, request, context in
                try Permissions.list(request, state, context)
            },
            .write(AuthRequest.self) { state, request, _, change in try Questions.ask(request, &state, change)
            },
            .read(AuthQuestionShow.self) { state, request, context in
                try Questions.show(request, state, context)
            },
            .write(AuthAnswer.self) { state, request, context, change in
                try Questions.answer(request, passcodes, &state, context, change)
            },
            .write(AuthRevoke.self) { state, request, _, change in
                try Permissions.revoke(request, &state, change)
            },
            .write(AuthSwitch.self) { state, request, context, change in
                try Permissions.turn(request, passcodes, &state, context, change)
            },
        ]
    }

    private static func appRoutes(_ passcodes: Passcodes) -> [ServiceRoute<AuthState>] {
        [
            .write(AppInstall.self) { state, request, _, change in try Apps.install(request, &state, change)
            },
            .read(AppList.self) { state, request, _ in try Apps.list(request, state) },
            .write(AppRemove.self) { state, request, context, change in
                try Apps.remove(request, passcodes, &state, context, change)
            },
        ]
    }

    private static let tokenRoutes: [ServiceRoute<AuthState>] = [
        .query(TokenIssue.self) { state, request, _, _ in try Tokens.issue(request, state) },
        .query(TokenResolve.self) { state, request, _, database in
            try Tokens.resolve(request, state, database)
        },
        .query(AuthCheck.self) { state, request, _, database in try Tokens.check(request, state, database) },
        .write(TokenRekey.self) { state, _, _, change in try Tokens.rekey(&state, change) },
    ]

    private static func begin(
        _ state: inout AuthState,
        _ change: StoreTransaction,
        owner: String?,
        deviceName: String
    ) throws {
        if state.device == nil {
            let device = Device(id: Identifier.make(wallMs: change.now.wallMs), name: deviceName)
            try AuthTables.insert(device, change.database)
            try change.emit(DeviceRegistered.self, subject: "device/\(device.id)", device)
            state.device = device
        }
        if state.members.isEmpty, let owner {
            _ = try Household.add(Member(name: owner, role: .individual, account: owner), to: &state, change)
        }
        if state.master == nil { try Tokens.makeMaster(1, &state, change) }
    }
}
