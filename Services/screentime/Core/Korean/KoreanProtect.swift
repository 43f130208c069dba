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
        Says whether the login refuses a child now; ends with 0 only where it does
        지금 아이의 로그인을 거절하는지 말합니다. 거절할 때만 0으로 끝납니다
        Holds the shielded apps of a child's account while nothing sees its screen; systemd starts it
        아이의 화면을 보는 것이 없는 동안 가림막이 있는 앱을 멈춥니다. systemd가 시작합니다
        Makes the account that logs in a child of this computer, where its group says so; PAM starts it
        로그인하는 계정을 그 그룹에 따라 이 컴퓨터의 아이로 만듭니다. PAM이 실행합니다
        each account of this group is a child here from its first login on, as in a school
        학교처럼, 이 그룹의 계정은 처음 로그인할 때부터 여기서 아이입니다
        whose login; PAM says it in PAM_USER
        누구의 로그인인지. PAM은 PAM_USER로 말합니다
        systemctl {1} failed: {2}
        systemctl {1}이(가) 실패했습니다: {2}
        The account of {1} is used where nothing sees it: on a console, from elsewhere, or without desktop-agent. From now on the time counts as Unseen.
        {1} 님의 계정을 보이지 않는 곳에서 쓰고 있습니다(콘솔이나 다른 컴퓨터에서, 또는 desktop-agent 없이). 지금부터 이 시간은 Unseen으로 셉니다.
        desktop-agent was stopped while {1} used this computer. That time counts as Unseen.
        {1} 님이 이 컴퓨터를 쓰는 동안 desktop-agent가 멈춰 있었습니다. 그 시간은 Unseen으로 셉니다.
        """#
}
