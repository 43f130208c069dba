/// The first page of help, processes, the desktop, files and settings. A line of English, and its Korean below it.
enum KoreanSystem {
    static let text = #"""
        Start
        시작
        Usage
        사용 시간
        Rules
        규칙
        More time
        더 쓸 시간
        People and machines
        사람과 컴퓨터
        This computer
        이 컴퓨터
        Records
        기록
        Shields and notifications
        차단 화면과 알림
        Apps with extensions
        확장이 있는 앱
        Messages between services
        서비스 사이의 메시지
        Help
        도움말
        Choose who uses this account, and make the first rules
        이 계정을 누가 쓰는지 정하고 첫 규칙을 만듭니다
        Open today, rules, requests and reports in a browser
        오늘, 규칙, 요청, 보고서를 브라우저에서 엽니다
        Show what was used, today or at any time
        오늘이나 다른 때에 무엇을 썼는지 보여 줍니다
        Limit an app, a site or a category to some time a day
        앱, 사이트, 범주를 하루에 얼마까지 쓸지 정합니다
        Close the computer at certain times of the day
        정한 시간에는 컴퓨터를 쓰지 못하게 합니다
        List, pause and remove rules of all kinds
        모든 규칙을 보고, 멈추고, 지웁니다
        Ask for more time, and answer requests
        시간을 더 요청하고, 요청에 답합니다
        Explain why something is shielded
        왜 막혀 있는지 설명합니다
        Add people, and set their accounts and passcodes
        사람을 더하고 계정과 암호를 정합니다
        Connect several computers and phones
        여러 컴퓨터와 휴대폰을 연결합니다
        Find out what does not work here, and how to repair it
        여기서 무엇이 안 되는지, 어떻게 고치는지 찾습니다
        Start and stop Screen Time
        스크린 타임을 시작하고 멈춥니다
        Opens Screen Time in your browser: today, rules, requests and reports, as they change
        브라우저에서 스크린 타임을 엽니다. 오늘, 규칙, 요청, 보고서가 바뀌는 대로 보입니다
        begins at this part of it, such as requests
        이 부분에서 시작합니다. 예: requests
        The page has no part {1}. It has: {2}.
        페이지에 {1}이라는 부분은 없습니다. 있는 부분: {2}.
        prints the address instead, which opens it once
        여는 대신, 한 번 열 수 있는 주소를 보여 줍니다
        This Screen Time has no page: {1} is missing. Install it anew.
        이 스크린 타임에는 페이지가 없습니다. {1}이(가) 없습니다. 다시 설치하세요.
        The page did not start: {1}
        페이지를 시작하지 못했습니다: {1}
        The page did not start within 10 s. Look at {1}.
        페이지가 10초 안에 시작되지 않았습니다. {1}을(를) 보세요.
        The web server could not be started. Free some memory, and try again.
        웹 서버를 시작하지 못했습니다. 메모리를 비우고 다시 해 보세요.
        The page does not do this; type it in a terminal.
        페이지에서는 할 수 없습니다. 터미널에 입력하세요.
        The page names no files and no addresses; type it in a terminal.
        페이지에서는 파일이나 주소를 쓸 수 없습니다. 터미널에 입력하세요.
        This page is at {1} alone. Open it with: screentime console
        이 페이지는 {1}에만 있습니다. 여는 명령: screentime console
        {1} has no picture.
        {1}에는 그림이 없습니다.
        The page asks by GET and changes by POST.
        페이지는 GET으로 묻고 POST로 바꿉니다.
        There is no page {1}. Begin at {2}/today
        {1} 페이지는 없습니다. {2}/today에서 시작하세요
        Only Screen Time's own page may ask this.
        스크린 타임의 페이지만 물을 수 있습니다.
        Only Screen Time's own page may change something.
        스크린 타임의 페이지만 바꿀 수 있습니다.
        This browser is not let in. Open the page with: screentime console
        이 브라우저는 들어올 수 없습니다. 여는 명령: screentime console
        Changes go to /change.
        바꾸는 것은 /change로 보냅니다.
        A change is sent as application/json.
        바꾸는 것은 application/json으로 보냅니다.
        The body of a change must be JSON with a `request` that has a command, subjects and options.
        바꾸는 것은 명령, 대상, 옵션이 있는 `request`가 든 JSON이어야 합니다.
        A report comes as {1}.
        보고서는 {1} 형식으로 받을 수 있습니다.
        A request must be a JSON object with a command, subjects and options.
        요청은 명령, 대상, 옵션이 있는 JSON 객체여야 합니다.
        A request of the page has at most {1} bytes. Ask for less at once.
        페이지의 요청은 {1}바이트까지입니다. 한 번에 더 적게 물으세요.
        Screen Time in the background did not report within {1} and was stopped.
        백그라운드의 스크린 타임이 {1} 안에 준비되지 않아서 멈추었습니다.
        Cannot write the log {1}: {2}. Correct that and try again.
        로그 {1}에 쓸 수 없습니다: {2}. 바로잡고 다시 시도하세요.
        Screen Time already runs here as process {1}, with its sockets in {2}. End it first, or set SCREENTIME_RUN and SCREENTIME_STATE to run another beside it.
        스크린 타임이 이미 프로세스 {1}(으)로 실행되고 있습니다(소켓: {2}). 먼저 끝내거나, SCREENTIME_RUN과 SCREENTIME_STATE를 정해 하나 더 실행하세요.
        {1} already runs as process {2}, started by another program, such as systemd. End it first.
        {1}이(가) 이미 프로세스 {2}(으)로 실행되고 있고, systemd 같은 다른 프로그램이 시작했습니다. 먼저 끝내세요.
        --packaged only shows what the package has: it goes with --print.
        --packaged는 패키지의 것을 보여 주기만 합니다. --print와 함께 쓰세요.
        --fresh deletes everything that was recorded. Add --yes to go ahead.
        --fresh는 기록된 모든 것을 지웁니다. 그대로 하려면 --yes를 붙이세요.
        Nothing was removed and nothing was started.
        아무것도 지우지 않았고, 아무것도 시작하지 않았습니다.
        Screen Time is not running.
        스크린 타임이 실행되고 있지 않습니다.
        Only the demonstration is running.
        데모만 실행되고 있습니다.
        {1} could not be built. The compiler's errors are above.
        {1} 빌드에 실패했습니다. 컴파일러 오류는 위에 있습니다.
        Process {1} runs Screen Time, and this user may not stop it. Stop it as the user who started it.
        프로세스 {1}이(가) 스크린 타임을 실행하는데, 이 사용자는 멈출 수 없습니다. 시작한 사용자로 멈추세요.
        Process {1} was asked to stop {2} ago and still runs.
        프로세스 {1}에 {2} 전에 멈추라고 했지만 아직 실행되고 있습니다.
        Process {1} runs Screen Time on the same folders. Stop it first.
        프로세스 {1}이(가) 같은 폴더에서 스크린 타임을 실행하고 있습니다. 먼저 멈추세요.
        HOME is not set, so the folder for your systemd units is not known. Set it.
        HOME이 정해져 있지 않아서 systemd 유닛을 둘 폴더를 알 수 없습니다. HOME을 정하세요.
        No systemd answers for this user ({1}). There is one after a login on a machine that runs systemd; a container and `su` have none.
        이 사용자({1})의 systemd가 답하지 않습니다. systemd가 있는 컴퓨터에 로그인하면 있고, 컨테이너와 `su`에는 없습니다.
        systemctl --user {1} failed: {2}
        systemctl --user {1} 실패: {2}
        This machine has no systemctl, so systemd cannot start the services at login.
        이 컴퓨터에는 systemctl이 없어서 로그인할 때 서비스를 시작할 수 없습니다.
        Cannot read /proc/self/exe. Mount /proc, and try again.
        /proc/self/exe를 읽을 수 없습니다. /proc을 마운트하고 다시 시도하세요.
        {1} holds your own data, and a demonstration would mix made-up days into it. Set SCREENTIME_STATE to another folder, or unset it.
        {1}에는 내 기록이 있는데, 데모를 하면 꾸며낸 날들이 섞입니다. SCREENTIME_STATE를 다른 폴더로 정하거나 지우세요.
        {1} holds a demonstration. Run it as one, or set SCREENTIME_STATE to another folder.
        {1}에는 데모가 있습니다. 데모로 실행하거나, SCREENTIME_STATE를 다른 폴더로 정하세요.
        desktop-agent runs as process {1} and lets paused apps go on when it stops. Stopping the system lifts every shield; --anyway lets the apps go on for now.
        desktop-agent가 프로세스 {1}(으)로 실행되고 있고, 멈출 때 정지한 앱을 다시 움직입니다. 스크린 타임을 멈추면 차단 화면이 모두 걷힙니다. --anyway를 쓰면 지금 앱을 움직입니다.
        A systemd unit cannot name {1}. Use a path without spaces, quotes, backslashes and dollar signs.
        systemd 유닛에 {1}을(를) 쓸 수 없습니다. 빈칸, 따옴표, 역빗금, 달러 기호가 없는 경로를 쓰세요.
        The templates of the systemd units are not near {1}. Install the folder deploy/systemd of the source tree as share/screentime/systemd beside bin.
        systemd 유닛의 틀이 {1} 가까이에 없습니다. 소스의 deploy/systemd 폴더를 bin 옆의 share/screentime/systemd로 설치하세요.
        --only needs the names of services: {1}.
        --only에는 서비스 이름이 필요합니다: {1}.
        A language is written as ko or pt_BR, with at most {1} characters.
        언어는 ko나 pt_BR처럼 {1}자까지 씁니다.
        A window is called x11:0x1a00003 or wl:12, or front for the one in front.
        창은 x11:0x1a00003이나 wl:12, 맨 앞의 것은 front라고 씁니다.
        No window is in front at this moment.
        지금은 앞에 있는 창이 없습니다.
        There is no window {1} on the screen; it may have been closed.
        화면에 {1} 창이 없습니다. 닫혔을 수 있습니다.
        desktop-agent does not observe a desktop: it runs in a simulation, or its settings disable observation.
        desktop-agent가 데스크톱을 관찰하지 않습니다. 시뮬레이션으로 실행 중이거나, 설정에서 관찰을 껐습니다.
        desktop-agent is still starting and cannot answer this yet.
        desktop-agent가 아직 시작하는 중이라 대답할 수 없습니다.
        {1} observations wait for activity-center, so desktop-agent takes no further {2}.
        관찰 {1}개가 activity-center를 기다리고 있어서 desktop-agent가 {2}을(를) 더 받지 않습니다.
        The answer was not taken in time.
        대답을 제때 받지 못했습니다.
        desktop-agent is still looking at the desktop.
        desktop-agent가 아직 데스크톱을 살펴보고 있습니다.
        The display has sent more than {1} events at once. Looking at it anew.
        디스플레이가 한 번에 {1}개보다 많은 소식을 보냈습니다. 다시 살펴봅니다.
        There is no {1} here.
        여기에 {1}은(는) 없습니다.
        logind gave an answer that makes no sense.
        logind의 답을 이해할 수 없습니다.
        there is no memory for a connection to the display
        디스플레이에 연결할 메모리가 없습니다
        {1} accepts connections but does not answer; check what {2} is doing
        {1}에 연결되지만 답이 없습니다. {2*}이(가) 무엇을 하는지 확인하세요
        there is no Wayland display here: WAYLAND_DISPLAY is not set, or XDG_RUNTIME_DIR is missing; start it from within the desktop
        여기에는 Wayland 디스플레이가 없습니다. WAYLAND_DISPLAY나 XDG_RUNTIME_DIR이 정해져 있지 않습니다. 데스크톱 안에서 시작하세요
        this screen was started already; close it first
        이 화면은 이미 시작했습니다. 먼저 닫으세요
        gnome-shell --version did not say which version this is.
        gnome-shell --version이 버전을 알려 주지 않았습니다.
        Screen Time is not in GNOME Shell, so there is nothing to take out.
        스크린 타임이 GNOME 셸에 들어 있지 않아 뺄 것이 없습니다.
        There is no desktop “{1}” to switch on. It can be: gnome, kde.
        켤 수 있는 데스크톱 “{1}”이(가) 없습니다. 쓸 수 있는 것: gnome.
        HOME is not set, so the folder of your extensions is not known. Set it.
        HOME이 설정되지 않아 확장 폴더를 알 수 없습니다. 설정하세요.
        {1} is not installed: this computer has no GNOME.
        {1}이(가) 설치되어 있지 않습니다. 이 컴퓨터에는 GNOME이 없습니다.
        The session's bus has ended.
        세션 버스가 끝났습니다.
        KWin has ended, or does not run our script.
        KWin이 끝났거나 우리 스크립트를 실행하지 않습니다.
        GNOME Shell has ended.
        GNOME 셸이 끝났습니다.
        The extension in GNOME Shell says what cannot be read. Run `screentime desktop enable gnome`, and log out and in again.
        GNOME 셸의 확장이 읽을 수 없는 것을 말합니다. `screentime desktop enable gnome`을 실행하고, 로그아웃했다가 다시 로그인하세요.
        The extension in GNOME Shell does not answer. Run `screentime desktop enable gnome`, and log out and in again.
        GNOME 셸의 확장이 대답하지 않습니다. `screentime desktop enable gnome`을 실행하고, 로그아웃했다가 다시 로그인하세요.
        The extension in GNOME Shell was switched off.
        GNOME 셸의 확장이 꺼졌습니다.
        {1} does not tell which window is in front: it lacks {2}; use sway or another wlroots desktop, or a session on X11
        {1}은(는) 어떤 창이 앞에 있는지 알려 주지 않습니다(없는 것: {2}). sway나 다른 wlroots 데스크톱, 또는 X11 세션을 쓰세요
        the socket's path “{1}” is longer than {2} bytes; correct WAYLAND_DISPLAY or XDG_RUNTIME_DIR
        소켓의 경로 “{1}”이(가) {2}바이트보다 깁니다. WAYLAND_DISPLAY나 XDG_RUNTIME_DIR을 바로잡으세요
        nothing answers at {1}: {2}; start the desktop, or correct WAYLAND_DISPLAY
        {1}에서 답이 없습니다: {2}. 데스크톱을 시작하거나 WAYLAND_DISPLAY를 바로잡으세요
        There is no X display: DISPLAY is not set.
        X 디스플레이가 없습니다. DISPLAY가 정해져 있지 않습니다.
        The X display {1} took no connection.
        X 디스플레이 {1}이(가) 연결을 받지 않았습니다.
        The X display {1} has no screen.
        X 디스플레이 {1}에 화면이 없습니다.
        The X display {1} refused the connection, or did not answer within {2} ms.
        X 디스플레이 {1}이(가) 연결을 거절했거나, {2}밀리초 안에 답하지 않았습니다.
        The X display {1} cannot be used ({2}).
        X 디스플레이 {1}을(를) 쓸 수 없습니다({2}).
        DISPLAY is “{1}”, which does not name a display.
        DISPLAY의 값 “{1}”은(는) 디스플레이의 이름이 아닙니다.
        The X display {1} belongs to another machine; only a local one can be used.
        X 디스플레이 {1}은(는) 다른 컴퓨터의 것입니다. 이 컴퓨터의 것만 쓸 수 있습니다.
        No X server answers at the display {1}.
        디스플레이 {1}에서 답하는 X 서버가 없습니다.
        the socket path {1} has {2} bytes and a unix socket takes {3}; set SCREENTIME_RUN to a shorter directory
        소켓의 경로 {1}은(는) {2}바이트인데, 유닉스 소켓은 {3}바이트까지 됩니다. SCREENTIME_RUN을 더 짧은 폴더로 정하세요
        {1} is “{2}”, and must be an absolute path: processes start in different directories
        {1}의 값 “{2}”은(는) 절대 경로여야 합니다. 프로세스마다 다른 폴더에서 시작합니다
        HOME is not set; set it, or set SCREENTIME_STATE and SCREENTIME_CONFIG
        HOME이 정해져 있지 않습니다. HOME을 정하거나, SCREENTIME_STATE와 SCREENTIME_CONFIG를 정하세요
        {1} is a symbolic link, which could lead anywhere; remove it, or name its target instead
        {1}은(는) 어디로든 이어질 수 있는 심볼릭 링크입니다. 없애거나, 가리키는 곳을 쓰세요
        {1} belongs to uid {2}, and this process runs as uid {3}; remove it, or choose another place with SCREENTIME_RUN and SCREENTIME_STATE
        {1}의 주인은 uid {2}인데, 이 프로세스는 uid {3}(으)로 실행됩니다. 없애거나, SCREENTIME_RUN과 SCREENTIME_STATE로 다른 곳을 고르세요
        {1} lies on another machine ({2}), and Screen Time keeps its records on the computer itself: a person's other computers would write the same ones. Name a folder of this computer, or protect the whole computer: its records are in {3}.
        {1}은(는) 다른 컴퓨터에 있습니다({2}). 스크린 타임은 기록을 이 컴퓨터에 둡니다. 그러지 않으면 그 사람의 다른 컴퓨터가 같은 기록을 쓰게 됩니다. 이 컴퓨터의 폴더를 정하거나 컴퓨터 전체를 보호하세요. 그러면 기록은 {3}에 있습니다.
        {1} can be used by others (mode {2})
        {1}을(를) 다른 사람도 쓸 수 있습니다(모드 {2})
        cannot use the directory {1}: {2}
        폴더 {1}을(를) 쓸 수 없습니다: {2}
        {1} is larger than {2}; make it smaller
        {1}이(가) {2}보다 큽니다. 줄이세요
        {1} is nested too deeply to be removed automatically; look at it and remove it by hand.
        {1} 안에 폴더가 너무 깊이 있어서 자동으로 지울 수 없습니다. 살펴보고 직접 지우세요.
        cannot {1} {2}: {3}
        {2}: {1*} 실패({3})
        {1} failed: {2}
        {1} 실패: {2}
        {1} already runs{2} and holds {3}; end it first, or set SCREENTIME_RUN to run a second system beside it
        {1}이(가) 이미{2} 실행되며 {3}을(를) 쓰고 있습니다. 먼저 끝내거나, SCREENTIME_RUN을 정해 하나 더 실행하세요
        as process {1}
        프로세스 {1}(으)로
        an argument for {1} contains a NUL byte; remove it from “{2}”
        {1}의 인자에 NUL 바이트가 있습니다. “{2}”에서 없애세요
        cannot start {1}: {2}{3}
        {1}을(를) 시작할 수 없습니다: {2}{3}
        {1} contains no key of {2} bytes. Stop Screen Time, remove the file if it exists, and start Screen Time again.
        {1}에 {2}바이트 키가 없습니다. 스크린 타임을 멈추고, 그 파일이 있으면 지운 뒤 다시 시작하세요.
        The key of this system could not be stored in memory. Try again.
        이 시스템의 키를 메모리에 둘 수 없습니다. 다시 시도하세요.
        A zone and a boot id have 1 to {1} bytes; “{2}” does not.
        시간대와 부팅 ID는 1–{1}바이트인데, “{2}”은(는) 그렇지 않습니다.
        {1} holds no clock; {2} must name the file of a clock.
        {1}에는 시계가 없습니다. {2}에 시계 파일을 쓰세요.
        {1} names {2}: {3}. Unset it to run on the machine's own clock.
        {1}의 값이 {2}입니다: {3}. 컴퓨터의 시계로 실행하려면 지우세요.
        There is no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set.
        세션 버스가 없습니다. DBUS_SESSION_BUS_ADDRESS도 XDG_RUNTIME_DIR도 정해져 있지 않습니다.
        There is no session bus: {1} does not exist.
        세션 버스가 없습니다. {1}이(가) 없습니다.
        A D-Bus message cannot be read: {1}.
        D-Bus 메시지를 읽을 수 없습니다: {1}.
        A D-Bus text cannot hold a zero byte.
        D-Bus 글에는 0바이트를 쓸 수 없습니다.
        A D-Bus message could not be made ({1}: {2}).
        D-Bus 메시지를 만들지 못했습니다({1}: {2}).
        Too many D-Bus calls wait for a reply.
        답을 기다리는 D-Bus 호출이 너무 많습니다.
        {1} did not reply within {2} ms.
        {1}이(가) {2}밀리초 안에 답하지 않았습니다.
        The bus refused the rule {1}.
        버스가 규칙 {1}을(를) 거절했습니다.
        Another program has the name {1} on this bus.
        다른 프로그램이 이 버스에서 {1}(이)라는 이름을 쓰고 있습니다.
        The D-Bus connection was closed.
        D-Bus 연결을 닫았습니다.
        The bus has closed the connection.
        버스가 연결을 닫았습니다.
        The D-Bus connection ended before the reply came.
        답이 오기 전에 D-Bus 연결이 끝났습니다.
        There is no connection to the bus.
        버스에 연결되어 있지 않습니다.
        The bus at {1} cannot be reached: {2}.
        {1}의 버스에 연결할 수 없습니다: {2}.
        The journal line of {1} cannot be made: {2}
        {1}의 기록을 남길 수 없습니다: {2}
        {1} is full; run screentime thaw, which empties it.
        {1}이(가) 가득 찼습니다. screentime thaw를 실행하면 비워집니다.
        Nothing is paused while {1} cannot be written ({2}), because a paused app could not be let go of after a crash. Make room, or correct its owner.
        {1}에 쓸 수 없어서({2}) 아무것도 정지하지 않습니다. 정지한 앱을 갑자기 끝났을 때 놓아줄 수 없기 때문입니다. 공간을 비우거나 주인을 바로잡으세요.
        {1} cannot be locked: {2}. Nothing is paused until it can be.
        {1}을(를) 잠글 수 없습니다: {2}. 그때까지 아무것도 정지하지 않습니다.
        It starts new processes faster than they can be held.
        정지하는 것보다 빨리 새 프로세스를 시작합니다.
        The request was cancelled.
        요청이 취소되었습니다.
        The client was closed.
        연결을 닫았습니다.
        {1} does not answer: Screen Time seems not to be running. `screentime system up` starts it.
        {1}이(가) 답하지 않습니다. 스크린 타임이 실행되고 있지 않은 것 같습니다. 시작하기: screentime system up
        {1} did not answer {2} in time. Whether it was done is not known; a repeat with the same idempotency key is safe.
        {1}이(가) {2}에 제때 답하지 않았습니다. 그 일을 했는지는 알 수 없습니다. 같은 `idempotency_key`로 다시 해도 안전합니다.
        {1} is answered to uid {2} only; this request came from uid {3}.
        {1}은(는) uid {2}에만 답하는데, 이 요청은 uid {3}에서 왔습니다.
        The deadline had passed before work began, so nothing was done.
        일을 시작하기 전에 시간이 지나서 아무것도 하지 않았습니다.
        The timeout is not above zero, so nothing was done.
        기다릴 시간이 0보다 크지 않아서 아무것도 하지 않았습니다.
        {1} already has {2} requests to write down; ask again in a moment.
        {1}이(가) 쓸 요청이 이미 {2}개 있습니다. 잠시 뒤에 다시 물으세요.
        {1} is stopping. Ask again when it runs.
        {1}이(가) 멈추는 중입니다. 실행되면 다시 물으세요.
        {1} runs on the machine's own clock, which no message can set. Start the system with {2} naming the page of a virtual one.
        {1}은(는) 메시지로 바꿀 수 없는 컴퓨터의 시계를 씁니다. {2}에 가상 시계를 정하고 시작하세요.
        The deadline passed while the request waited, so nothing was done.
        기다리는 동안 시간이 지나서 아무것도 하지 않았습니다.
        An extension of {1} may not ask any service for anything.
        {1}의 확장은 어떤 서비스에도 물을 수 없습니다.
        An extension of {1} may not call {2}. It may call: {3}.
        {1}의 확장은 {2}을(를) 부를 수 없습니다. 부를 수 있는 것: {3}.
        {1}: this is neither `key = value` nor a [section].
        {1}: `key = value`도 [section]도 아닙니다.
        {1}: {2} cannot be {3}. {4}
        {1}: {2}의 값은 {3}일 수 없습니다. {4}
        {1}: there is no section [{2}]. {3} Sections: {4}.
        {1}: [{2}] 부분은 없습니다. {3} 있는 부분: {4}.
        {1}: there is no setting {2}{3}. {4} Settings here: {5}.
        {1}: {2} 설정은 없습니다{3}. {4} 있는 설정: {5}.
        in [{1}]
        ([{1}])
        The service has not started.
        서비스가 시작되지 않았습니다.
        The service has stopped.
        서비스가 멈추었습니다.
        This process does not answer {1} yet. Try again in a moment.
        이 프로세스는 아직 {1}에 답하지 않습니다. 잠시 뒤에 다시 시도하세요.
        systemd handed over a socket named {1}; FileDescriptorName= must be rpc or events.
        systemd가 {1} 소켓을 넘겼습니다. FileDescriptorName=은 rpc나 events여야 합니다.
        cannot write the log {1}: {2}; correct that
        로그 {1}에 쓸 수 없습니다: {2}. 바로잡으세요
        this supervisor was started before; make a new one
        이 감독은 이미 시작했습니다. 새로 만드세요
        the supervisor's own log is missing; report this
        감독의 로그가 없습니다. 이 문제를 알려 주세요
        {1} did not end even by SIGKILL; see what the kernel waits for
        {1}이(가) SIGKILL로도 끝나지 않았습니다. 커널이 무엇을 기다리는지 보세요
        this supervisor was not started; call start first
        이 감독은 시작하지 않았습니다. 먼저 start를 부르세요
        {1} has no process now; wait until it runs
        {1}에 지금 프로세스가 없습니다. 실행될 때까지 기다리세요
        there is no service {1}{2}
        {1} 서비스는 없습니다{2}
        not ready within {1}:{2}
        {1} 안에 준비되지 않았습니다:{2}
        {1}; end some processes
        {1}. 프로세스를 몇 개 끝내세요
        No such file or directory
        그런 파일이나 폴더가 없음
        Permission denied
        권한이 없음
        Not a directory
        폴더가 아님
        Is a directory
        폴더임
        No space left on device
        디스크에 남은 공간이 없음
        Connection refused
        연결이 거절됨
        the compositor
        컴포지터
        open
        열기
        read
        읽기
        write
        쓰기
        create
        만들기
        rename
        이름 바꾸기
        remove
        지우기
        unknown
        알 수 없음
        as many steps
        같은 수의 단계
        ; build it, or correct its path or working directory
        . 빌드하거나, 경로나 작업 폴더를 바로잡으세요
        ; make it executable (chmod +x) and its directories readable
        . 실행할 수 있게 하고(chmod +x), 폴더를 읽을 수 있게 하세요
        ; a program still writes it, try again
        . 다른 프로그램이 아직 쓰고 있으니, 다시 해 보세요
        ; the machine has no room for another process, end some
        . 프로세스를 더 실행할 자리가 없으니, 몇 개 끝내세요
        ssh -t, or a terminal window
        ssh -t, 또는 터미널 창
        start it from inside the graphical session
        그래픽 세션 안에서 시작하기
        see whether XAUTHORITY names the file of this session
        XAUTHORITY가 이 세션의 파일인지 보기
        {1} cannot say which site is in front: {2}.
        {1}은(는) 어느 사이트가 앞에 있는지 알려 줄 수 없습니다: {2*}.
        it is a snap, and may not start programs of this computer
        snap이라서 이 컴퓨터의 프로그램을 시작할 수 없습니다
        it is a Flatpak, and may not start programs of this computer
        Flatpak이라서 이 컴퓨터의 프로그램을 시작할 수 없습니다
        {1} is not installed: none of {2} is in PATH.
        {1}이(가) 설치되어 있지 않습니다. PATH에 {2} 중 아무것도 없습니다.
        This Firefox takes only add-ons that Mozilla has signed, and ours is not signed yet. Debian's firefox-esr and Chromium take it.
        이 파이어폭스는 Mozilla가 서명한 부가 기능만 받는데, 스크린 타임의 부가 기능은 아직 서명되지 않았습니다. Debian의 firefox-esr과 크로미움은 받습니다.
        Mozilla has not signed our add-on yet. Debian's Firefox takes it all the same, if it may take any add-on without a signature from now on. Say so if you want that.
        Mozilla가 스크린 타임의 부가 기능에 아직 서명하지 않았습니다. Debian의 파이어폭스는 서명 없는 부가 기능을 모두 받도록 바꾸면 이것도 받습니다. 그렇게 하려면 아래처럼 쓰세요.
        {1} says nothing of sites as it is.
        {1}은(는) 지금도 사이트를 알려 주지 않습니다.
        There is no browser “{1}” here that could say which site is in front. It can be: {2}.
        어느 사이트가 앞에 있는지 알려 줄 수 있는 브라우저 가운데 “{1}”은(는) 없습니다. 쓸 수 있는 이름: {2}.
        HOME is not set, so the folders of your browsers are not known. Set it.
        HOME이 정해져 있지 않아서 브라우저의 폴더를 알 수 없습니다. HOME을 정하세요.
        Firefox has not been started in this account yet. Start it once, close it, and try again.
        이 계정에서 파이어폭스를 아직 한 번도 시작하지 않았습니다. 한 번 시작했다가 닫고 다시 시도하세요.
        {1} did not pack the extension: {2}
        {1}이(가) 부가 기능을 묶지 못했습니다: {2}
        {1}/extension.crx is not a packed extension.
        {1}/extension.crx는 묶인 부가 기능이 아닙니다.
        """#
}
