/// A protected computer. A line of English, and its Korean below it.
enum KoreanProtect {
    static let text = #"""
        Runs Screen Time for the whole computer, so that a child's account cannot undo it
        스크린 타임을 컴퓨터 전체에서 실행해서 아이의 계정으로는 끌 수 없게 합니다
        the children, separated by commas; NAME=ACCOUNT where they differ
        아이들의 이름을 쉼표로 나눠서. 계정 이름이 다르면 NAME=ACCOUNT
        the guardians, in the same way; one without an account is fine
        보호자들도 같은 방법으로. 계정이 없어도 됩니다
        other people whose time is counted here
        여기서 시간을 세는 다른 사람들
        Goes back to a Screen Time of each account's own; what was recorded stays
        계정마다 따로 실행하는 스크린 타임으로 돌아갑니다. 기록은 남습니다
        What is guarded on this computer, and what is missing
        이 컴퓨터에서 무엇을 지키고 있고 무엇이 빠졌는지
        Tries the ways of a child around Screen Time, and says which hold
        아이가 스크린 타임을 피할 방법을 해 보고 어느 것이 막히는지 말합니다
        Accepts a program that a child can change, so that it can have its own limits; without PATH, lists the accepted programs
        아이가 바꿀 수 있는 프로그램에 자체 한도를 허용합니다. PATH가 없으면 허용한 프로그램을 보여 줍니다
        a program, or a folder of programs
        프로그램, 또는 프로그램이 있는 폴더
        counts the program as Unknown program again
        그 프로그램을 다시 알 수 없는 프로그램으로 셉니다
        as this account; by default each child's
        이 계정으로. 정하지 않으면 아이들의 계정으로
        what happens when a child uses a screen that nothing sees: the time counts, or the screen is locked, too
        보이지 않는 화면을 아이가 쓸 때: 시간을 셉니다. lock이면 화면도 잠급니다
        takes over the people, rules and records of this guardian's own Screen Time
        이 보호자가 자기 계정에서 쓰던 스크린 타임의 사람, 규칙, 기록을 넘겨받습니다
        Only a guardian's own Screen Time can be taken over: in a child's account a child may have set the passcode.
        보호자가 쓰던 스크린 타임만 넘겨받을 수 있습니다. 아이의 계정에서는 아이가 암호를 정했을 수 있습니다.
        The account {1} has no Screen Time of its own that this computer could take over.
        {1} 계정에는 넘겨받을 스크린 타임이 없습니다.
        This computer has records and rules of its own already, in {1}. Leave out --from, or move that folder away.
        이 컴퓨터에는 이미 기록과 규칙이 {1}에 있습니다. --from을 빼거나 그 폴더를 옮기세요.
        The Screen Time of {1} still runs, so its records cannot be taken over. Stop it in that account first.
        {1} 님의 스크린 타임이 아직 실행되고 있어서 기록을 넘겨받을 수 없습니다. 먼저 그 계정에서 멈추세요.
        Says whether the login refuses a child now; ends with 0 only where it does
        지금 아이의 로그인을 거절하는지 말합니다. 거절할 때만 0으로 끝납니다
        Holds the shielded apps of a child's account while nothing sees its screen; systemd starts it
        아이의 화면을 보는 것이 없는 동안 가림막이 있는 앱을 멈춥니다. systemd가 시작합니다
        Makes the account that logs in a child of this computer, where its group says so; PAM starts it
        로그인하는 계정을 그 그룹에 따라 이 컴퓨터의 아이로 만듭니다. PAM이 실행합니다
        each account of this group is a child here from its first login on, as in a school
        학교처럼, 이 그룹의 계정은 처음 로그인할 때부터 여기서 아이입니다
        The group's name has only letters, digits and . - _ @. Make a group of the pupils with such a name.
        그룹 이름은 글자, 숫자와 . - _ @만 쓸 수 있습니다. 학생 그룹을 그런 이름으로 만드세요.
        Another person here is called {1}, so the time of this account is not counted.
        여기 {1}이라는 다른 사람이 있어서 이 계정의 시간을 세지 않습니다.
        This computer knows no group {1}.
        이 컴퓨터에 {1} 그룹이 없습니다.
        whose login; PAM says it in PAM_USER
        누구의 로그인인지. PAM은 PAM_USER로 말합니다
        ACCOUNT is missing: whose login?
        ACCOUNT가 없습니다. 누구의 로그인인가요?
        --unseen is count or lock, not “{1}”.
        --unseen은 count나 lock입니다. “{1}”은(는) 아닙니다.
        Only the administrator of this computer can do that.
        이 컴퓨터의 관리자만 할 수 있습니다.
        Protection needs systemd, which does not run this computer. Without it Screen Time runs in each account.
        보호하려면 systemd가 있어야 하는데 이 컴퓨터에서는 실행되지 않습니다. 없으면 계정마다 따로 실행합니다.
        Protection comes with Debian's package, which is not installed here.
        보호 기능은 데비안 패키지에 있는데 여기에는 설치되어 있지 않습니다.
        systemctl {1} failed: {2}
        systemctl {1}이(가) 실패했습니다: {2}
        This computer has no {1}.
        이 컴퓨터에는 {1}이(가) 없습니다.
        The computer could not be prepared: {1}
        컴퓨터를 준비하지 못했습니다: {1}
        “{1}” is no person: write NAME, or NAME=ACCOUNT where the account is called otherwise.
        “{1}”은(는) 사람이 아닙니다. NAME이라고 쓰거나, 계정 이름이 다르면 NAME=ACCOUNT라고 쓰세요.
        {1} has no account on this computer. A child needs one of their own, which is no administrator's.
        {1} 님의 계정이 이 컴퓨터에 없습니다. 아이에게는 관리자가 아닌 자기 계정이 있어야 합니다.
        Say whom this is for: at least one child, and who decides for them.
        누구를 위한 것인지 말하세요. 적어도 아이 한 명과 정할 사람이 있어야 합니다.
        A child needs a guardian who decides for them.
        아이에게는 대신 정할 보호자가 있어야 합니다.
        This computer is not protected, so there is nothing to check.
        이 컴퓨터는 보호되지 않아서 확인할 것이 없습니다.
        There is no child with an account here.
        여기에는 계정이 있는 아이가 없습니다.
        This computer has no account {1}.
        이 컴퓨터에는 {1} 계정이 없습니다.
        A guardian decides this in their own account or on their phone. A passcode typed in this account could be recorded.
        이것은 보호자가 자기 계정이나 휴대폰에서 정합니다. 이 계정에서 친 암호는 기록될 수 있습니다.
        Only a guardian can do that, in an account of their own.
        보호자만 자기 계정에서 할 수 있습니다.
        Screen Time is protected here, so only the administrator of this computer can do that.
        여기서는 스크린 타임이 보호되고 있어서 이 컴퓨터의 관리자만 할 수 있습니다.
        From this account a person reaches what is their own. A guardian sees the others.
        이 계정에서는 자기 것만 볼 수 있습니다. 다른 사람의 것은 보호자가 봅니다.
        These events are a guardian's to read.
        이 사건들은 보호자만 읽을 수 있습니다.
        There is nothing of this name among what is yours.
        자기 것 가운데 이런 이름은 없습니다.
        The account {1} is no person's here, so nothing of it is counted.
        {1} 계정은 여기서 누구의 것도 아니어서 시간을 세지 않습니다.
        auth-service has not said yet whose account this is.
        auth-service가 누구의 계정인지 아직 말하지 않았습니다.
        This account asks too much at once. Try again in a second.
        이 계정이 한꺼번에 너무 많이 묻습니다. 잠시 뒤에 다시 해 보세요.
        Only the program that looks at this screen may say what it sees: desktop-agent of the package.
        화면을 보는 프로그램(패키지의 desktop-agent)만 본 것을 말할 수 있습니다.
        On a protected computer the program that looks at the screen shows them, in each person's session.
        보호하는 컴퓨터에서는 화면을 보는 프로그램이 각자의 세션에 보여 줍니다.
        systemd did not hand over {1} and {2}.
        systemd가 {1}과(와) {2}을(를) 넘겨주지 않았습니다.
        account-door takes the number of an account of this computer.
        account-door에는 이 컴퓨터에 있는 계정의 번호를 줍니다.
        {1} is not in the list of accepted programs.
        {1}은(는) 허용한 프로그램 목록에 없습니다.
        “{1}” is not the absolute path of a program or a folder on this computer.
        “{1}”은(는) 이 컴퓨터에 있는 프로그램이나 폴더의 절대 경로가 아닙니다.
        The account of {1} is used where nothing sees it: on a console, from elsewhere, or without desktop-agent. From now on the time counts as Unseen.
        {1} 님의 계정을 보이지 않는 곳에서 쓰고 있습니다(콘솔이나 다른 컴퓨터에서, 또는 desktop-agent 없이). 지금부터 이 시간은 Unseen으로 셉니다.
        desktop-agent was stopped while {1} used this computer. That time counts as Unseen.
        {1} 님이 이 컴퓨터를 쓰는 동안 desktop-agent가 멈춰 있었습니다. 그 시간은 Unseen으로 셉니다.
        """#
}
