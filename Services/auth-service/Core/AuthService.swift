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
                try HouseholdMembers.adoptAccount(formerSeat, state: &state, change: change)
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
            .read(MemberList.self) { state, _, _ in try HouseholdMembers.list(state) },
            .write(MemberAdd.self) { state, member, _, change in
                try HouseholdMembers.add(member, to: &state, change)
            },
            .write(MemberSet.self) { state, request, context, change in
                try HouseholdMembers.set(
                    request,
                    passcodes: passcodes,
                    accounts: accounts,
                    state: &state,
                    context: context,
                    change: change
                )
            },
            .write(MemberRemove.self) { state, request, context, change in
                try HouseholdMembers.remove(
                    request,
                    passcodes: passcodes,
                    state: &state,
                    context: context,
                    change: change
                )
            },
            .query(MemberShow.self) { state, request, context, database in
                try MemberSummary.show(request, state: state, now: context.now, database: database)
            },
            .write(MemberPasscode.self) { state, request, context, change in
                try passcodes.set(request, state: &state, context: context, change: change)
            },
            .write(AuthProve.self) { state, request, context, change in
                try passcodes.prove(request, state: &state, context: context, change: change)
            },
            .read(AuthNotices.self) { state, _, _ in AuthNotices.Reply(notices: state.notices) },
        ]
    }

    private static func permissionRoutes(_ passcodes: Passcodes) -> [ServiceRoute<AuthState>] {
        [
            .read(AuthStatus.self) { state, request, _ in
                try Permissions.status(request.app, member: request.member, state: state)
            },
            .read(AuthorizationList.self) { state, request, context in
                try Permissions.list(request, state: state, context: context)
            },
            .write(AuthRequest.self) { state, request, _, change in
                try Questions.open(request, state: &state, change: change)
            },
            .read(AuthQuestionShow.self) { state, request, context in
                try Questions.show(request, state: state, context: context)
            },
            .write(AuthAnswer.self) { state, request, context, change in
                try Questions.answer(
                    request,
                    passcodes: passcodes,
                    state: &state,
                    context: context,
                    change: change
                )
            },
            .write(AuthRevoke.self) { state, request, _, change in
                try Permissions.revoke(request, state: &state, change: change)
            },
            .write(AuthSwitch.self) { state, request, context, change in
                try Permissions.setEnforced(
                    request,
                    passcodes: passcodes,
                    state: &state,
                    context: context,
                    change: change
                )
            },
        ]
    }

    private static func appRoutes(_ passcodes: Passcodes) -> [ServiceRoute<AuthState>] {
        [
            .write(AppInstall.self) { state, request, _, change in
                try Apps.install(request, state: &state, change: change)
            },
            .read(AppList.self) { state, request, _ in try Apps.list(request, state) },
            .write(AppRemove.self) { state, request, context, change in
                try Apps.remove(
                    request,
                    passcodes: passcodes,
                    state: &state,
                    context: context,
                    change: change
                )
            },
        ]
    }

    private static let tokenRoutes: [ServiceRoute<AuthState>] = [
        .query(TokenIssue.self) { state, request, _, _ in try Tokens.issue(request, state) },
        .query(TokenResolve.self) { state, request, _, database in
            try Tokens.resolve(request, state: state, database: database)
        },
        .query(AuthCheck.self) { state, request, _, database in
            try Tokens.check(request, state: state, database: database)
        },
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
            _ = try HouseholdMembers.add(
                Member(name: owner, role: .individual, account: owner),
                to: &state,
                change
            )
        }
        if state.master == nil { try Tokens.makeMaster(1, state: &state, change: change) }
    }
}
