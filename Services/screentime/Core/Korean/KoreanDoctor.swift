/// What `doctor`, `status` and `why` tell of services. A line of English, and its Korean below it.
enum KoreanDoctor {
    static let text = #"""
        There is no desktop in this session.
        이 세션에는 데스크톱이 없습니다.
        This session is {1}.
        이 세션: {1}.
        {1} on Wayland
        Wayland의 {1}
        {1} on X11
        X11의 {1}
        an X11 session
        X11 세션
        a Wayland session
        Wayland 세션
        no desktop
        데스크톱 없음
        Screen Time sees which app is in front, the moment it changes.
        어떤 앱이 앞에 있는지 바뀌는 순간 압니다.
        The display says which program a window belongs to.
        창이 어떤 프로그램의 것인지 디스플레이가 알려 줍니다.
        The display does not say which program a window belongs to, so Screen Time goes by the names that windows give themselves, and covers apps without pausing them.
        창이 어떤 프로그램의 것인지 디스플레이가 알려 주지 않습니다. 그래서 창이 스스로 밝힌 이름을 따르고, 앱을 정지하지 않고 가리기만 합니다.
        sway says it, over its own socket (SWAYSOCK); start Screen Time from within sway.
        sway는 자기 소켓(SWAYSOCK)으로 알려 줍니다. sway 안에서 스크린 타임을 시작하세요.
        Screen Time does not see sites in a browser; the browser counts as an app.
        브라우저 안의 사이트는 보지 못합니다. 브라우저를 앱으로 셉니다.
        No desktop entries were found: apps are called by their executables.
        데스크톱 항목이 없어서 앱을 실행 파일의 이름으로 부릅니다.
        {1} installed apps are known by name.
        설치된 앱 {1}개의 이름을 압니다.
        Notifications are counted, app by app.
        알림을 앱별로 셉니다.
        Notifications are not counted: {1}
        알림을 세지 않습니다: {1}
        Gamepads are not seen: playing with one alone counts only while the game keeps the screen awake.
        게임패드는 보지 못합니다. 게임패드로만 하는 게임은 화면이 켜져 있게 하는 동안만 셉니다.
        The display does not say whether the computer is being used: time counts until the screen is locked.
        컴퓨터를 쓰고 있는지 디스플레이가 알려 주지 않아서, 화면이 잠길 때까지 시간을 셉니다.
        Keyboard and pointer show whether the computer is being used{1}.
        키보드와 마우스로 컴퓨터를 쓰고 있는지 압니다{1}.
        : after {1} without either, it is idle
        . {1} 동안 없으면 자리를 비운 것으로 봅니다
        A film that plays in front counts as use (players report it over the session bus).
        앞에서 재생되는 영화는 사용으로 셉니다(플레이어가 세션 버스로 알려 줍니다).
        The session bus does not answer: a film watched without touching anything does not count.
        세션 버스가 답하지 않아서, 손대지 않고 보는 영화는 세지 않습니다.
        Start Screen Time from within the session, or run once: systemctl --user import-environment DBUS_SESSION_BUS_ADDRESS
        세션 안에서 스크린 타임을 시작하거나, 한 번 실행하세요: systemctl --user import-environment DBUS_SESSION_BUS_ADDRESS
        logind reports locking, sleep and user switches (session {1}).
        logind가 잠금, 절전, 사용자 전환을 알려 줍니다(세션 {1}).
        logind does not know this session: {1}, and user switches are not seen.
        logind가 이 세션을 모릅니다. {1}, 사용자 전환은 보지 못합니다.
        logind does not answer: only the clocks show sleep, {1}, and user switches are not seen.
        logind가 답하지 않습니다. 절전은 시계로만 알고, {1}, 사용자 전환은 보지 못합니다.
        locking is not seen
        잠금은 보지 못하고
        {1} reports locking
        잠금은 {1}에서 알려 주고
        Start Screen Time from within the session.
        세션 안에서 스크린 타임을 시작하세요.
        Screen Time cannot put up shields here: it keeps the rules but cannot enforce them.
        여기서는 차단 화면을 띄울 수 없습니다. 규칙은 남아 있지만 막지는 못합니다.
        This compositor lets no program draw above windows (it offers no {1}), so Screen Time cannot cover anything.
        이 컴포지터는 창 위에 그리는 것을 허용하지 않아서({1} 없음) 아무것도 가릴 수 없습니다.
        A shield lies exactly over the window of its app.
        차단 화면이 앱의 창을 정확히 덮습니다.
        The display does not say where windows are, so a shield covers the whole monitor.
        창이 어디에 있는지 디스플레이가 알려 주지 않아서, 차단 화면이 모니터 전체를 덮습니다.
        screentime-draw is not beside desktop-agent: shields are plain, without words.
        screentime-draw가 desktop-agent 옆에 없어서, 차단 화면에 글이 없습니다.
        Install screentime-draw in the same folder.
        같은 폴더에 screentime-draw를 설치하세요.
        Screen readers can read shields, with their words and buttons.
        화면 낭독기가 차단 화면의 글과 버튼을 읽을 수 있습니다.
        Shields work by pointer and keyboard; screen readers cannot read them yet.
        차단 화면은 마우스와 키보드로 쓰고, 화면 낭독기는 아직 읽지 못합니다.
        Shields cover apps and let them run underneath.
        차단 화면은 앱을 가리고, 그 아래에서 계속 실행되게 둡니다.
        Shields cover apps, pause them, and after{1} close them politely.
        차단 화면은 앱을 가리고 정지한 다음,{1} 뒤에 정중히 닫습니다.
        Shields cover apps, pause them, after{1} close them politely and after{2} more end them.
        차단 화면은 앱을 가리고 정지한 다음,{1} 뒤에 정중히 닫고, 다시{2} 뒤에 끝냅니다.
        a while
        잠시
        Shields cover apps and pause them: no work is lost.
        차단 화면은 앱을 가리고 정지합니다. 하던 일을 잃지 않습니다.
        To change it, write escalation = cover, pause, close or end under [desktop-agent] in ~/.config/screentime/config.
        바꾸려면 ~/.config/screentime/config의 [desktop-agent]에 escalation = cover, pause, close, end 가운데 하나를 쓰세요.
        Pausing freezes an app's cgroup, or stops its processes by SIGSTOP where it has none.
        앱을 정지할 때 앱의 cgroup을 얼리고, 없으면 SIGSTOP으로 프로세스를 멈춥니다.
        Pausing stops an app's processes by SIGSTOP{1}.
        앱을 정지할 때 SIGSTOP으로 프로세스를 멈춥니다{1}.
        ({1})
        ({1})
        this kernel has no cgroups of version 2
        이 커널에 cgroup 버전 2가 없음
        this session has no cgroup of its own, as systemd gives one to each app
        systemd가 앱마다 주는 cgroup이 이 세션에 없음
        Apps that you name: never_pause = gimp,code under [desktop-agent] in ~/.config/screentime/config.
        정한 앱: ~/.config/screentime/config의 [desktop-agent]에 never_pause = gimp,code처럼 씁니다.
        By your settings (never_pause): {1}.
        설정(never_pause)에 따라: {1}.
        Screen Time itself, and the programs it was started from, such as this terminal.
        스크린 타임 자체와, 이 터미널처럼 스크린 타임을 시작한 프로그램.
        Terminals, because what runs in them would stop too.
        터미널. 그 안에서 실행되는 것도 멈추기 때문입니다.
        The desktop: compositor, window manager, panels, session bus, sound, notifications.
        데스크톱: 컴포지터, 창 관리자, 패널, 세션 버스, 소리, 알림.
        Input methods, screen readers, keyrings, and programs that ask for a password or lock the screen.
        입력기, 화면 낭독기, 열쇠고리, 그리고 암호를 묻거나 화면을 잠그는 프로그램.
        Looking at the screen is switched off: adapter = none under [desktop-agent].
        화면을 보지 않도록 설정되어 있습니다: [desktop-agent]의 adapter = none.
        Take that line out of the settings, or write adapter = auto.
        설정에서 그 줄을 빼거나, adapter = auto라고 쓰세요.
        {1} at {2} tells which window is in front ({3}).
        {2}의 {1*}: 어떤 창이 앞에 있는지 알려 줍니다({3}).
        The compositor
        컴포지터
        WAYLAND_DISPLAY names {1}, which does not answer.
        WAYLAND_DISPLAY의 {1}은(는) 답하지 않습니다.
        The X server at {1} can be seen; no window manager says which window is in front, so the one with the keyboard counts.{2}
        {1}의 X 서버를 볼 수 있습니다. 어떤 창이 앞에 있는지 알려 주는 창 관리자가 없어서, 키보드를 쓰는 창을 셉니다.{2}
        The X server at {1} and its window manager{2} tell which window is in front.
        {1}의 X 서버와 창 관리자{2}: 어떤 창이 앞에 있는지 알려 줍니다.
        This compositor
        이 컴포지터
        This compositor on Wayland does not tell which window is in front (it offers no {1}).
        Wayland의 이 컴포지터는 어떤 창이 앞에 있는지 알려 주지 않습니다({1} 없음).
        {1} on Wayland does not tell which window is in front (it offers no {2}).
        Wayland의 {1}은(는) 어떤 창이 앞에 있는지 알려 주지 않습니다({2} 없음).
        This is a Wayland session, but its compositor cannot be reached: {1}
        Wayland 세션인데 컴포지터에 연결할 수 없습니다: {1}
        WAYLAND_DISPLAY is not set
        WAYLAND_DISPLAY가 정해져 있지 않음
        {1} cannot be reached: {2}
        {1}에 연결할 수 없음: {2}
        it does not answer
        답하지 않음
        DISPLAY {1} belongs to XWayland, which sees only programs without Wayland, so Screen Time does not use it.
        DISPLAY {1}은(는) Wayland를 쓰지 않는 프로그램만 보는 XWayland의 것이어서 쓰지 않습니다.
        Where systemd starts it, run in a terminal of the session: {1}
        systemd가 시작한다면 세션의 터미널에서 실행하세요: {1}
        There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set.
        디스플레이가 없습니다. WAYLAND_DISPLAY도 DISPLAY도 정해져 있지 않습니다.
        No display can be reached ({1}).
        연결할 수 있는 디스플레이가 없습니다({1}).
        WAYLAND_DISPLAY {1}: {2}; DISPLAY {3}: {4}
        WAYLAND_DISPLAY {1}: {2}; DISPLAY {3}: {4}
        WAYLAND_DISPLAY {1}: {2}
        WAYLAND_DISPLAY {1}: {2}
        DISPLAY {1}: {2}
        DISPLAY {1}: {2}
        Log in to a desktop and start Screen Time there.
        데스크톱에 로그인하고 거기서 스크린 타임을 시작하세요.
        The settings want adapter = {1}, which cannot see this session.
        설정은 adapter = {1}인데, 그것으로는 이 세션을 볼 수 없습니다.
        With adapter = auto it would be {1}: {2}
        adapter = auto라면 {1}입니다: {2}
        Write adapter = auto under [desktop-agent].
        [desktop-agent]에 adapter = auto라고 쓰세요.
        Run `screentime desktop enable gnome`, and log out and in again.
        `screentime desktop enable gnome`을 실행하고, 로그아웃했다가 다시 로그인하세요.
        Update Screen Time, and run `screentime desktop enable gnome` again.
        스크린 타임을 업데이트하고 `screentime desktop enable gnome`을 다시 실행하세요.
        GNOME Shell {1} tells which window is in front, through our extension.
        GNOME 셸 {1}이(가) 우리 확장을 통해 어떤 창이 앞에 있는지 알려 줍니다.
        KWin at {1} tells which window is in front, through a script of ours that it runs.
        {1}의 KWin이 자신이 실행하는 우리 스크립트를 통해 어떤 창이 앞에 있는지 알려 줍니다.
        Our extension does not know GNOME Shell {1}, so it tells which window is in front and covers nothing.
        GNOME 셸 {1}은(는) 우리 확장이 아는 버전이 아니어서, 어떤 창이 앞에 있는지만 알려 주고 아무것도 가리지 않습니다.
        The extension is of another version ({1}). Run `screentime desktop enable gnome`, and log out and in again.
        확장의 버전({1})이 다릅니다. `screentime desktop enable gnome`을 실행하고, 로그아웃했다가 다시 로그인하세요.
        Screen Time covers nothing here: it does not know this version of GNOME Shell.
        스크린 타임이 이 버전의 GNOME 셸을 몰라서 아무것도 가리지 않습니다.
        At the next login choose “Plasma (X11)”; or use sway.
        다음에 로그인할 때 “Plasma (X11)”을 고르거나, sway를 쓰세요.
        At the next login choose a session on Xorg, or a wlroots compositor such as sway.
        다음에 로그인할 때 Xorg 세션이나, sway 같은 wlroots 컴포지터를 고르세요.
        There were {1} wrong passcodes in a row for {2}; Screen Time accepts none for {3}.
        {2} 님의 암호를 {1}번 이어서 잘못 입력했습니다. {3} 동안 암호를 받지 않습니다.
        {1} has a passcode now.
        {1} 님에게 이제 암호가 있습니다.
        The passcode of {1} was changed.
        {1} 님의 암호가 바뀌었습니다.
        The administrator of this computer reset the passcode of {1}.
        이 컴퓨터의 관리자가 {1} 님의 암호를 다시 정했습니다.
        The name and role, a hash of the passcode (the passcode cannot be read back from it), when wrong passcodes were given, and what each app may do.
        이름과 역할, 암호의 해시(여기서 암호를 알아낼 수 없습니다), 암호를 잘못 입력한 때, 앱마다 할 수 있는 일.
        For as long as the household has this member; only the last {1} wrong passcodes.
        이 집에 있는 동안. 잘못 입력한 암호는 마지막 {1}번만.
        Which app or site was in front, from when to when, and when they were away from the computer.
        어떤 앱이나 사이트가 언제부터 언제까지 앞에 있었는지, 언제 자리를 비웠는지.
        Never what was typed, said or shown.
        무엇을 쓰고 말하고 보았는지는 기록하지 않습니다.
        Until it is deleted with `screentime data forget`.
        `screentime data forget`으로 지울 때까지.
        Sums of that use per hour and day.
        그 사용을 시간별, 일별로 더한 것.
        For as long as the use itself.
        사용 기록이 있는 동안.
        When an app was called because a time began, ended or was used up, and what the app wrote.
        시간이 시작되거나 끝나거나 다 쓰여서 앱을 부른 때와, 앱이 쓴 것.
        The latest; older ones go by themselves.
        최근 것만. 오래된 것은 저절로 없어집니다.
        What apps have set: which apps and sites they shield.
        앱이 정한 것: 어떤 앱과 사이트를 제한하는지.
        Each shield that was shown: for which app or site, when, and which button was pressed.
        나타난 차단 화면: 어떤 앱이나 사이트에, 언제, 어떤 버튼을 눌렀는지.
        Requests for more time with their reasons and answers, and when wrong codes were given.
        시간을 더 달라는 요청과 까닭, 대답, 그리고 코드를 잘못 입력한 때.
        Settings until the app or `screentime store clear` takes them away; shields shown until `screentime data forget` deletes their time; only the latest shields and requests.
        설정은 앱이나 `screentime store clear`가 없앨 때까지. 나타난 차단 화면은 `screentime data forget`으로 그때를 지울 때까지. 차단 화면과 요청은 최근 것만.
        Notifications that apps and rules asked for, with their words.
        앱과 규칙이 보낸 알림과 그 문구.
        What it has seen and not yet passed on to the other services.
        보았지만 다른 서비스에 아직 넘기지 않은 것.
        Until it has passed it on, usually within a second.
        넘길 때까지, 보통 1초 안.
        {1}, the guardian {2}, everyone who can use this Linux account, and the administrator.
        {1} 님, 보호자 {2} 님, 이 리눅스 계정을 쓸 수 있는 모든 사람, 관리자.
        {1}, the guardians {2}, everyone who can use this Linux account, and the administrator.
        {1} 님, 보호자 {2} 님, 이 리눅스 계정을 쓸 수 있는 모든 사람, 관리자.
        {1}, everyone who can use this Linux account, and the administrator.
        {1} 님, 이 리눅스 계정을 쓸 수 있는 모든 사람, 관리자.
        Of what they watch, also the apps: {1}.
        지켜보는 것은 이 앱도 봅니다: {1}.
        The clock had been set forward and back again.
        시계를 앞으로 돌렸다가 되돌렸습니다.
        The clock was set {1} by {2}.
        시계를 {2} {1*} 돌렸습니다.
        forward
        앞으로
        back
        뒤로
        ahead
        앞으로
        The time zone became {1}.
        시간대가 {1}(으)로 바뀌었습니다.
        Phones do this at times.
        전화기는 때때로 이렇게 합니다.
        It was used up before the clock or the time zone was changed.
        시계나 시간대를 바꾸기 전에 다 썼습니다.
        Counted from before the watching began.
        지켜보기 시작하기 전부터 셌습니다.
        Its monitoring was stopped.
        지켜보기를 멈추었습니다.
        It is on the list of apps that are only covered (never_pause).
        가리기만 하는 앱의 목록(never_pause)에 있습니다.
        It is a part of the kernel.
        커널의 일부입니다.
        The same process shows windows of {1}, which would stop too.
        같은 프로세스가 {1}의 창도 보여 주고 있어서 함께 멈추게 됩니다.
        It belongs to another account of this computer.
        이 컴퓨터의 다른 계정의 것입니다.
        It is Screen Time itself.
        스크린 타임 자체입니다.
        Screen Time was started from it, and would stop together with it.
        스크린 타임을 시작한 프로그램이어서 함께 멈추게 됩니다.
        Records are missing.
        기록이 빠져 있습니다.
        The loss of records was accepted.
        기록의 손실을 받아들였습니다.
        The records of {1} were taken away or replaced on the disk while it ran. It saved them and goes on.
        {1}이(가) 실행되는 동안 디스크에서 기록이 없어지거나 바뀌었습니다. 기록을 구하고 계속합니다.
        The records of {1} begin.
        {1}의 기록이 시작됩니다.
        The records of {1} were changed, replaced or removed on the disk while it did not run.
        {1}이(가) 실행되지 않는 동안 디스크에서 기록이 바뀌거나 없어졌습니다.
        The records of {1} were damaged. It put them aside ({2}) and makes them anew.
        {1}의 기록이 손상되었습니다. 옆에 두고({2}) 다시 만듭니다.
        A backup of {1} was put back.
        {1}의 백업을 되돌렸습니다.
        Screen Time started.
        스크린 타임을 시작했습니다.
        It had ended {1} before.
        {1} 전에 끝났습니다.
        It had stopped {1} before.
        {1} 전에 멈추었습니다.
        Screen Time was stopped.
        스크린 타임을 멈추었습니다.
        Nothing was seen of {1} for {2}, though the computer ran.
        컴퓨터가 켜져 있었지만 {2} 동안 {1*}의 사용을 보지 못했습니다.
        the screen
        화면
        A person set the clock of this computer {1} {2}. Screen Time goes on by the time that passes.
        누군가 이 컴퓨터의 시계를 바꾸었습니다({1} {2*}). 스크린 타임은 지나가는 시간을 계속 따릅니다.
        Screen Time goes by the clock of this computer again.
        스크린 타임이 다시 이 컴퓨터의 시계를 따릅니다.
        More time for {1}: {2} ({3}).
        {1} 님에게 시간을 더 주었습니다: {2} ({3}).
        Use from a file was added: {1}.
        파일에서 사용 기록을 추가했습니다: {1*}.
        Records were deleted: {1}.
        기록을 지웠습니다: {1}.
        Something happened that this version does not know.
        이 버전이 모르는 일이 있었습니다.
        By {1}.
        바꾼 사람: {1*}.
        Why: {1}
        까닭: {1}
        {1} changed from “{2}” to “{3}”.
        {1*}: “{2*}”에서 “{3*}”(으)로 바뀌었습니다.
        {1} is new: {2}.
        {1*} 추가: {2*}.
        {1} was taken away; it was: {2}.
        {1*} 없앰: {2*}.
        The rule “{1}” of {2}
        {2} 님의 규칙 “{1}”
        The rule “{1}”
        규칙 “{1}”
        The rule of {1}
        {1} 님의 규칙
        The wait before looser rules of {1}
        {1} 님의 느슨한 변경 전에 기다리는 시간
        The wait before looser rules
        느슨한 변경 전에 기다리는 시간
        The pause of the rule “{1}” of {2}
        {2} 님의 규칙 “{1}” 쉬기
        The pause of the rule “{1}”
        규칙 “{1}” 쉬기
        The rule for requests of {1}
        {1} 님의 요청 규칙
        The rule for requests
        요청 규칙
        The category “{1}” of {2}
        {2} 님의 카테고리 “{1}”
        The category “{1}”
        카테고리 “{1}”
        The member “{1}”
        사람 “{1}”
        The member “{1}” of {2}
        {2} 님의 사람 “{1}”
        The permission “{1}” of {2}
        {2} 님의 권한 “{1}”
        The app “{1}”
        앱 “{1}”
        The setting “{1}”
        설정 “{1}”
        The database of {1} is gone: all records are missing, of which the system's journal knows {2}.
        {1}의 데이터베이스가 없어졌습니다. 모든 기록이 빠졌고, 시스템 저널에 따르면 {2}개입니다.
        Records of {1} ({2}) are missing: its database is another one than before, or an older copy that went on without them.
        {1}({2})의 기록이 빠졌습니다. 데이터베이스가 전과 다른 것이거나, 기록 없이 이어진 예전 사본입니다.
        {1} record of {2} ({3}) is missing, which another service had been told of.
        {2}({3})의 기록 {1}개가 빠졌습니다. 다른 서비스는 그 기록을 알고 있습니다.
        {1} records of {2} ({3}) are missing, which another service had been told of.
        {2}({3})의 기록 {1}개가 빠졌습니다. 다른 서비스는 그 기록을 알고 있습니다.
        , the guardian {1}
        , 보호자 {1} 님
        , the guardians {1}
        , 보호자 {1} 님
        Screen Time knows nothing of that time: it records changes since {1}.
        그때의 일은 알지 못합니다. 변경은 {1}부터 기록되어 있습니다.
        Its category ({1}) is the one of today, not of that time.
        카테고리({1})는 그때가 아니라 오늘의 것입니다.
        It does not open before {1} by itself.
        저절로는 {1*} 전에 열리지 않습니다.
        It is on the list of what is always allowed, so no store shields it.
        항상 허용된 것이어서 아무것도 제한하지 않습니다.
        {1} was granted; it is shielded again when that ends or is taken back.
        {1}이(가) 승인되었습니다. 그것이 끝나거나 거두어지면 다시 제한됩니다.
        No store that is in force says anything about it.
        지금 지키는 저장소 가운데 이것을 다루는 것은 없습니다.
        And {1} more stores would have to let go of it.
        그리고 저장소 {1}개가 더 풀어야 합니다.
        More time that is granted, or the list of what is always allowed, lifts all of them.
        시간을 더 승인받거나 항상 허용된 것에 넣으면 모두 풀립니다.
        The rule {1} has to take {2} out of what it shields.
        규칙 {1}이(가) 제한하는 것에서 {2}을(를) 빼야 합니다.
        {1} has to take {2} out of what it shields in its store {3}.
        {1}이(가) 저장소 {3}에서 제한하는 것에서 {2}을(를) 빼야 합니다.
        The rule {1} has to take the category {2} out of what it shields, or except this.
        규칙 {1}이(가) 제한하는 것에서 카테고리 {2}을(를) 빼거나, 이것을 예외로 해야 합니다.
        {1} has to take the category {2} out of what it shields, or except this in its store {3}.
        {1}이(가) 저장소 {3}에서 카테고리 {2}을(를) 빼거나, 이것을 예외로 해야 합니다.
        The rule {1} has to end shielding everything, or except this.
        규칙 {1}이(가) 모두 제한하는 것을 끝내거나, 이것을 예외로 해야 합니다.
        {1} has to end shielding everything, or except this in its store {2}.
        {1}이(가) 저장소 {2}에서 모두 제한하는 것을 끝내거나, 이것을 예외로 해야 합니다.
        {1} has to take {2} out of the apps that it blocks in its store {3}.
        {1}이(가) 저장소 {3}에서 막는 앱에서 {2}을(를) 빼야 합니다.
        {1} has to end its filter, or except this site in its store {2}.
        {1}이(가) 저장소 {2}의 필터를 끝내거나, 이 사이트를 예외로 해야 합니다.
        {1} has to take {2} out of its filter in its store {3}.
        {1}이(가) 저장소 {3}의 필터에서 {2}을(를) 빼야 합니다.
        exited with status {1}
        상태 {1}(으)로 끝남
        ended by {1}
        {1}(으)로 끝남
        did not say READY=1 within {1}
        {1} 안에 READY=1을 알리지 않음
        did not say WATCHDOG=1 for {1}
        {1} 동안 WATCHDOG=1을 알리지 않음
        set the passcode of {1}
        {1} 님의 암호를 정하려고
        allow {1} for {2}
        {2} 님을 위해 {1}을(를) 허용하려고
        remove {1}
        {1}을(를) 빼려고
        switch {1} for {2}
        {2} 님을 위한 {1}을(를) 켜거나 끄려고
        change who {1} is here
        {1} 님의 역할을 바꾸려고
        give time to {1}
        {1} 님에게 시간을 주려고
        change how requests of {1} are answered
        {1} 님의 요청에 답하는 방법을 바꾸려고
        set up codes for {1}
        {1} 님의 코드를 설정하려고
        approve {1}
        {1}을(를) 승인하려고
        deny {1}
        {1}을(를) 거절하려고
        {1} to {2} in {3}, now: {4} to {5}
        {1}부터 {2}까지({3}), 지금: {4}부터 {5}까지
        {1} to {2} in {3}, next: {4} to {5}
        {1}부터 {2}까지({3}), 다음: {4}부터 {5}까지
        scripted
        스크립트
        a script says who looks at what
        누가 무엇을 보는지 스크립트가 말합니다
        {1} rows
        {1}줄
        {1} rows of the household from before {2}
        {2} 이전 집 기록 {1}줄
        {1} rows of {2}
        {2}의 기록 {1}줄
        installed
        설치됨
        changed
        바뀜
        reset
        다시 정함
        locked
        잠김
        the default
        기본값
        shield
        차단 화면
        everything
        모든 것
        every day
        매일
        no day of exception
        예외인 날 없음
        except {1}
        {1} 제외
        opens {1}
        {1} 열림
        only {1}
        {1}만
        account {1}
        계정 {1}
        time on two machines at once counts once
        여러 컴퓨터를 함께 쓴 시간은 한 번만 셈
        time counts on each machine
        컴퓨터마다 시간을 셈
        {1} at weekends
        주말 {1}
        {1} after {2}
        {2} 뒤에 {1}
        {1} becomes {2}
        {1*} → {2*}
        its words change
        문구가 바뀜
        only a guardian answers
        보호자만 답함
        {1} at a time, {2} a day, the first after {3}, each next {4}% later
        한 번에 {1}, 하루 {2}번, 처음은 {3} 뒤, 다음마다 {4}% 더
        {1} is {2} here.
        {1}: 여기서는 {2}입니다.
        {1} min of {2}
        {2} {1}분
        {1} h of {2}
        {2} {1}시간
        {1} h {2} min of {3}
        {3} {1}시간 {2}분
        own rule
        내 규칙
        Sun Mon Tue Wed Thu
        일–목
        Mon Tue Wed Thu Fri
        월–금
        Sun Sat
        주말
        Screen Time sees sites in browsers that say which one is in front; any other counts as an app.
        스크린 타임은 어느 사이트가 앞에 있는지 알려 주는 브라우저에서 사이트를 봅니다. 다른 브라우저는 앱으로 셉니다.
        {1} says which site is in front, but in private windows.
        {1}이(가) 어느 사이트가 앞에 있는지 알려 줍니다(시크릿 창은 빼고).
        {1} has the extension of another version of Screen Time ({2}). Enable it again, and restart the browser.
        {1}에는 스크린 타임의 다른 버전({2})의 확장 기능이 있습니다. 다시 켜고 브라우저를 다시 시작하세요.
        {1} does not say which site is in front, and counts as an app.
        {1}은(는) 어느 사이트가 앞에 있는지 알려 주지 않아서 앱으로 셉니다.
        The browser itself is shielded, and the site with it. Name the browser as well.
        브라우저 자체가 차단되고 사이트도 함께 차단됩니다. 브라우저도 함께 쓰세요.
        """#
}
