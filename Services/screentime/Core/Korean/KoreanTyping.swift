/// For what is typed wrongly, and what a command cannot do. A line of English, and its Korean below it.
enum KoreanTyping {
    static let text = #"""
        {1} could be: {2}. Name one by what stands in brackets, or take all with --all.
        {1}: 여러 앱이 있습니다. {2}. 괄호 안의 이름으로 하나를 고르거나, --all로 모두 고르세요.
        No app called {1} is installed here, and none was used in the last 90 days.{2} To take the name all the same, add --anyway.
        {1}: 그런 앱은 이 컴퓨터에 없고, 지난 90일 동안 쓴 적도 없습니다.{2} 그래도 이 이름을 쓰려면 --anyway를 붙이세요.
        This is not valid JSON.
        올바른 JSON이 아닙니다.
        This needs an answer from a person, and there is no terminal. Run it in a terminal, not from a script.
        사람의 대답이 필요한데 터미널이 없습니다. 스크립트가 아니라 터미널에서 실행하세요.
        Interrupted: there was no answer, so nothing was changed.
        중단했습니다. 대답이 없어서 아무것도 바꾸지 않았습니다.
        The line is longer than {1} bytes.
        줄이 {1}바이트보다 깁니다.
        Nothing was typed for five minutes, so nothing was changed.
        5분 동안 아무것도 입력하지 않아서 아무것도 바꾸지 않았습니다.
        No app “{1}” is installed{2}
        “{1}” 앱은 설치되어 있지 않습니다{2}
        ; did you mean {1}?
        . 혹시 {1}인가요?
        No person here is called “{1}”{2}
        “{1}”(이)라는 사람은 여기에 없습니다{2}
        {1} did not end within {2}, and was ended.
        {1}: {2} 안에 끝나지 않아서 멈추었습니다.
        The folder {1} cannot be made: {2}. Correct that and try again.
        폴더 {1}을(를) 만들 수 없습니다: {2}. 바로잡고 다시 시도하세요.
        There was no answer, so nothing was changed.
        대답이 없어서 아무것도 바꾸지 않았습니다.
        Screen Time is not running, or its {1} is not.
        스크린 타임이 실행되고 있지 않거나, {1}가 멈춰 있습니다.
        “everything” already includes all else; name nothing beside it.
        “everything”에는 이미 모두 들어 있으니, 다른 것을 함께 쓰지 마세요.
        “{1}” is not an app; did you mean {2}? A site is written site:reddit.com, a category category:games.
        “{1}”은(는) 앱이 아닙니다. 혹시 {2}인가요? 사이트는 site:reddit.com, 카테고리는 category:games처럼 씁니다.
        Question {1} comes from {2}, not from {3}.
        질문 {1}은(는) {3}이(가) 아니라 {2}의 것입니다.
        The monitor of {1} was not started. The app needs permission to watch, and its program must be installed.
        {1}의 모니터를 시작하지 않았습니다. 앱에 지켜볼 권한이 있어야 하고, 프로그램이 설치되어 있어야 합니다.
        Say which app to switch {1}.
        어떤 앱을 {1}(으)로 할지 쓰세요.
        The app comes first, then {1}.
        앱을 먼저 쓰고, 그다음에 {1}을(를) 쓰세요.
        “{1}” is neither on nor off.
        “{1}”은(는) on도 off도 아닙니다.
        --for is the time after which --follow ends; use them together.
        --for는 --follow를 끝낼 때까지의 시간입니다. 둘을 함께 쓰세요.
        --timeout can be 60s at most.
        --timeout은 60s까지입니다.
        Every service answers {1}; say with --to which one to ask.
        모든 서비스가 {1}에 답합니다. 어느 서비스에 물을지 --to로 쓰세요.
        No service has the route {1}{2}
        {1}에 답하는 서비스는 없습니다{2}
        The body must be one JSON object, in quotes so that the shell leaves it alone.
        본문은 JSON 객체 하나여야 하고, 셸이 바꾸지 않도록 따옴표로 감싸야 합니다.
        A passcode does not belong in a command, where other programs can read it. Give the body on standard input.
        암호는 다른 프로그램이 읽을 수 있으므로 명령에 쓰면 안 됩니다. 본문을 표준 입력으로 주세요.
        The body is larger than {1} bytes.
        본문이 {1}바이트보다 큽니다.
        “{1}” cannot begin a topic; a topic has a-z, 0-9, dots and dashes.
        “{1}”(으)로 시작하는 토픽은 없습니다. 토픽에는 a-z, 0-9, 점, 줄표를 씁니다.
        Say with --from which file has the sites, and with --to which category they belong to.
        사이트가 든 파일을 --from으로, 사이트가 속할 카테고리를 --to로 쓰세요.
        {1} is not a text file.
        {1}: 텍스트 파일이 아닙니다.
        {1} has no site in it.{2}
        {1}: 사이트가 하나도 없습니다.{2}
        {1} names {2} sites, and all lists together hold at most {3}.
        {1}: 사이트가 {2}개 있는데, 목록을 모두 합쳐 {3}개까지 됩니다.
        There was no site to add.
        추가할 사이트가 없습니다.
        desktop-agent is not beside this command, so the doctor cannot look at the desktop.
        desktop-agent가 이 명령 옆에 없어서 데스크톱을 살펴볼 수 없습니다.
        desktop-agent could not look at the desktop: {1}. {2}
        desktop-agent가 데스크톱을 살펴보지 못했습니다: {1}. {2}
        Name an app or a site; a category cannot be ignored.
        앱이나 사이트를 쓰세요. 카테고리는 무시할 수 없습니다.
        “{1}” is not ignored.
        “{1}”은(는) 무시하고 있지 않습니다.
        Say what {1} is with --role.
        {1} 님이 누구인지 --role로 쓰세요.
        Say which account is {1}'s, or --none. This computer has: {2}.
        {1} 님의 계정을 쓰거나, 없으면 --none을 쓰세요. 이 컴퓨터의 계정: {2}.
        The two passcodes were not the same, so nothing was changed.
        두 암호가 서로 달라서 아무것도 바꾸지 않았습니다.
        “{1}” is not a notification number; see the numbers after # in the list.
        “{1}”은(는) 알림 번호가 아닙니다. 목록에서 # 뒤의 숫자를 쓰세요.
        There is no notification {1}, or another one took its place.
        알림 {1}은(는) 없거나, 다른 알림으로 바뀌었습니다.
        A request is approved; time is given to a person.
        요청은 approve로 승인하고, grant로는 사람에게 시간을 줍니다.
        DURATION is missing: such as 30m.
        DURATION이 빠졌습니다. 30m처럼 쓰세요.
        “{1}” is not a length of time; write it as 30m or 1h30m.
        “{1}”은(는) 시간의 길이가 아닙니다. 30m이나 1h30m처럼 쓰세요.
        {1} is “{2}”; it must be a number such as {3}.
        {1}의 값 “{2}”은(는) {3} 같은 숫자여야 합니다.
        There is no request “{1}”; they are called R1, R2 and so on.{2}
        “{1}” 요청은 없습니다. 요청 이름은 R1, R2처럼 씁니다.{2}
        This is the demonstration, whose household is made up. Start Screen Time itself first.
        지금은 데모여서 가상의 가족이 있습니다. 먼저 스크린 타임을 시작하세요.
        The setup ended before its end. What it said so far is done; it can be run again.
        설정을 끝까지 마치지 않았습니다. 지금까지 답한 것은 저장되었고, 다시 실행할 수 있습니다.
        A picture is dark or light; name one of --dark and --light.
        그림은 어둡거나 밝습니다. --dark와 --light 가운데 하나만 쓰세요.
        {1} is for pictures: say with --png where the picture goes.
        {1}은(는) 그림에 쓰는 옵션입니다. 그림을 저장할 곳을 --png로 쓰세요.
        Only an app or a site can be shielded here; name one of them.
        여기서는 앱이나 사이트만 제한할 수 있습니다. 하나를 쓰세요.
        --size is “{1}”; it must be WIDTHxHEIGHT, each from {2} to {3} pixels, and not more than {4} million pixels in all.
        --size의 값 “{1}”은(는) 너비x높이여야 하고, 각각 {2}–{3}픽셀, 모두 {4}백만 픽셀까지입니다.
        --png needs the name of a file.
        --png에는 파일 이름이 필요합니다.
        Which scenario? Name its file, or print one to start from.
        어떤 시나리오인가요? 파일 이름을 쓰거나, 예시를 출력해서 시작하세요.
        Screen Time is not running, so nothing is observed.
        스크린 타임이 실행되고 있지 않아서 아무것도 기록되지 않습니다.
        There is no store {1}{2}
        저장소 {1}은(는) 없습니다{2}
        “{1}” is not a store; write its app and its name, such as worklog/social.
        “{1}”은(는) 저장소가 아닙니다. worklog/social처럼 앱과 이름을 쓰세요.
        There are more than {1} arguments.
        인자가 {1}개보다 많습니다.
        That did not work: {1}
        실행하지 못했습니다: {1}
        There is completion for {1}, but not for “{2}”.
        자동 완성은 {1}에 있고, “{2}”에는 없습니다.
        {1} is “{2}”; it must be a duration such as 500ms, 10s or 1h30m.
        {1}의 값 “{2}”은(는) 500ms, 10s, 1h30m 같은 시간이어야 합니다.
        {1} is “{2}”; it must be a whole number from 1 to 1000000.
        {1}의 값 “{2}”은(는) 1부터 1000000까지의 정수여야 합니다.
        There is no service “{1}”.{2} The services are: {3}.
        “{1}” 서비스는 없습니다.{2} 서비스: {3}.
        {1} is “{2}”; it can be: {3}.
        {1}의 값 “{2}” 자리에는 다음 가운데 하나를 쓰세요: {3}.
        --language is “{1}”; it must be a code such as ko or en_US.
        --language의 값 “{1}”은(는) ko나 en_US 같은 코드여야 합니다.
        `{1}` needs a verb: {2}.
        `{1}` 뒤에 무엇을 할지 쓰세요: {2}.
        `{1} {2}` is not known; did you mean `{3}`? The commands are: {4}.
        `{1} {2}` 명령은 없습니다. 혹시 `{3}`인가요? 있는 명령: {4}.
        `{1} {2}` is not known{3}
        `{1} {2}` 명령은 없습니다{3}
        ; did you mean `{1} {2}`?
        . 혹시 `{1} {2}`인가요?
        . The commands are: {1}.
        . 있는 명령: {1}.
        “{1}” is not known. The commands are: {2}.
        “{1}” 명령은 없습니다. 있는 명령: {2}.
        “{1}” is not known; did you mean `{2}`?
        “{1}” 명령은 없습니다. 혹시 `{2}`인가요?
        `{1}` is written differently here: `screentime {2}`.
        `{1}`은(는) 여기서 이렇게 씁니다: `screentime {2}`.
        A selection has at most {1} entries.
        고른 목록에는 {1}개까지 들어갑니다.
        A selection cannot be everything; a limit can.
        모든 것을 고를 수는 없습니다. 한도에는 쓸 수 있습니다.
        --list and --search only list, so {1} does not go with them.
        --list와 --search는 목록만 보여 주므로 {1}과(와) 함께 쓸 수 없습니다.
        {1} is about an app's tokens: say which app with --app.
        {1}은(는) 앱의 토큰에 쓰는 옵션입니다. 어떤 앱인지 --app으로 쓰세요.
        The selection has tokens, which only its app can read: say which app with --app.
        고른 목록에 그 앱만 읽을 수 있는 토큰이 있습니다. 어떤 앱인지 --app으로 쓰세요.
        {1} is not a selection: {2}{3}
        {1}: 고른 목록의 파일이 아닙니다. {2}{3}
        {1} has tokens, which only its app can read; a rule needs names.
        {1}: 그 앱만 읽을 수 있는 토큰이 있습니다. 규칙에는 이름이 필요합니다.
        Nothing is chosen in {1}.
        {1}: 고른 것이 없습니다.
        It has more than {1} entries.
        항목이 {1}개보다 많습니다.
        This entry is not the name of an app, a category or a site.
        이 항목은 앱, 카테고리, 사이트의 이름이 아닙니다.
        --list and --search only list; leave out either the option or the subjects.
        --list와 --search는 목록만 보여 줍니다. 옵션과 대상 가운데 하나를 빼세요.
        There is no terminal to choose in. Name what you want in the command, or use --list.
        고를 수 있는 터미널이 없습니다. 원하는 것을 명령에 쓰거나 --list를 쓰세요.
        Interrupted; nothing was saved.
        중단했습니다. 아무것도 저장하지 않았습니다.
        Nothing was typed for half an hour, so nothing was saved.
        30분 동안 아무것도 입력하지 않아서 저장하지 않았습니다.
        {1} apps have a report “{2}”: {3}. Say with --app whose it is.
        “{2}” 보고서를 가진 앱이 {1}개 있습니다: {3}. 어느 앱의 것인지 --app으로 쓰세요.
        What {1} made cannot be read as a page.
        {1}이(가) 만든 것을 페이지로 읽을 수 없습니다.
        The program that draws pictures is missing: {1}. Install it beside this command; {2}.
        그림을 그리는 프로그램이 없습니다: {1}. 이 명령 옆에 설치하세요. {2}.
        Drawing the picture took longer than {1} and was stopped.{2}
        그림을 그리는 데 {1}보다 오래 걸려서 멈추었습니다.{2}
        The picture could not be drawn: {1} {2}.{3}
        그림을 그리지 못했습니다: {1} {2}.{3}
        A picture is written to an absolute path.
        그림은 절대 경로에 저장합니다.
        That is more than one report can show; take larger segments or a shorter time.
        보고서 하나에 담기에 너무 많습니다. 구간을 넓히거나 기간을 줄이세요.
        That would be {1} bars, but at most {2} fit; take larger segments, a shorter time, or --csv or --json, which have no such limit.
        막대가 {1}개 필요한데 {2}개까지 들어갑니다. 구간을 넓히거나 기간을 줄이거나, 제한이 없는 --csv나 --json을 쓰세요.
        An app decides what its report shows; {1} goes only with the built-in reports: {2}.
        보고서에 무엇이 보이는지는 앱이 정합니다. {1}은(는) 내장 보고서에만 씁니다: {2}.
        --top is {1}, but a report shows at most {2} one by one; --csv has all of them.
        --top의 값은 {1}인데, 보고서는 {2}개까지 하나씩 보여 줍니다. --csv에는 모두 있습니다.
        --follow shows what happens now, and {1} is over.
        --follow는 지금을 보여 주는데, {1}은(는) 이미 지났습니다.
        --app says which app makes the report; name the report with --context.
        --app은 보고서를 만드는 앱입니다. 보고서의 이름을 --context로 쓰세요.
        --context needs the name of a report.
        --context에는 보고서의 이름이 필요합니다.
        --language is “{1}”, but the built-in reports are written only in {2}.
        --language의 값은 “{1}”인데, 내장 보고서는 다음 언어로만 있습니다: {2}.
        {1} would both go to standard output; give one of them a file.
        {1}을(를) 모두 표준 출력으로 보낼 수는 없습니다. 하나에 파일을 지정하세요.
        Two outputs have the same file; give each its own.
        출력 두 개가 같은 파일을 씁니다. 파일을 따로 지정하세요.
        --dark is for pictures; HTML follows its reader's setting. Say with --png or --svg where the picture goes.
        --dark는 그림에 쓰고, HTML은 읽는 사람의 설정을 따릅니다. 그림을 저장할 곳을 --png나 --svg로 쓰세요.
        --follow works on a terminal, with --json and with an --html file; {1} is written only once.
        --follow는 터미널에서, 또는 --json이나 --html 파일과 함께 씁니다. {1}은(는) 한 번만 저장됩니다.
        --open shows a page that is a file and is written once; it goes with neither --html - nor --follow.
        --open은 한 번 쓴 파일의 페이지를 엽니다. --html -나 --follow와 함께 쓸 수 없습니다.
        This computer has no xdg-open, which knows your browser. Install xdg-utils, or open the page yourself.
        이 컴퓨터에는 브라우저를 아는 xdg-open이 없습니다. xdg-utils를 설치하거나 페이지를 직접 여세요.
        xdg-open found no browser for the page ({1}). Open the page yourself.
        xdg-open이 페이지를 열 브라우저를 찾지 못했습니다({1}). 페이지를 직접 여세요.
        --follow writes the page again and again, so it needs a file.
        --follow는 페이지를 계속 다시 쓰므로 파일이 필요합니다.
        {1} needs the name of a file.
        {1}에는 파일 이름이 필요합니다.
        {1} is “{2}”, but there is no folder {3}. Make it first.
        {1}의 값은 “{2}”인데, {3} 폴더가 없습니다. 먼저 만드세요.
        {1} is “{2}”, which is a folder; name a file in it.
        {1}의 값 “{2}”은(는) 폴더입니다. 그 안의 파일 이름을 쓰세요.
        --day is one whole day; use either --day, or --from and --to.
        --day는 하루 전체입니다. --day를 쓰거나, --from과 --to를 쓰세요.
        --to says where the time ends; say with --from where it begins.
        --to는 끝나는 때입니다. 시작하는 때를 --from으로 쓰세요.
        --to ({1}) is not after --from ({2}).
        --to({1})가 --from({2})보다 뒤여야 합니다.
        {1} to {2} is {3} days; a report covers at most {4}, which is ten years.
        {1}부터 {2}까지는 {3}일입니다. 보고서는 10년, 곧 {4}일까지 됩니다.
        --day is “{1}”; it must be a day such as 2026-11-20, yesterday or monday.
        --day의 값 “{1}”은(는) 2026-11-20, yesterday, monday 같은 날이어야 합니다.
        {1} is still to come, so there is no use yet.
        {1}은(는) 아직 오지 않아서 사용 기록이 없습니다.
        {1} devices are called “{2}”: {3}. Name one of these.
        “{2}”(이)라는 기기가 {1}대 있습니다: {3}. 그중 하나를 쓰세요.
        No device is called “{1}”{2} Devices with recorded use: {3}.
        “{1}”(이)라는 기기는 없습니다{2} 기록이 있는 기기: {3}.
        “{1}” has no whole day from today on that Screen Time could read.
        “{1}”에서 오늘부터의 하루 종일 일정을 찾지 못했습니다.
        “{1}” is past; give days from today on.
        “{1}”은(는) 이미 지났습니다. 오늘부터의 날을 쓰세요.
        These are {1} days, and a rule has at most {2} days of exception.
        {1}일을 썼는데, 규칙 하나에 예외인 날은 {2}일까지 됩니다.
        “{1}” is not read as days; give {2}.
        “{1}”을(를) 날짜로 읽을 수 없습니다. 이렇게 쓰세요: {2}.
        Say with --after how much use comes before the break.
        얼마나 쓴 뒤에 쉴지 --after로 쓰세요.
        SUBJECT is missing: an app such as firefox, category:social or site:reddit.com.
        SUBJECT가 빠졌습니다. firefox 같은 앱이나 category:social, site:reddit.com을 쓰세요.
        “{1}” already includes all else; name nothing beside it.
        “{1}”에는 이미 모두 들어 있으니, 다른 것을 함께 쓰지 마세요.
        The subjects come first, and {1} at the end.
        대상을 먼저 쓰고, {1}을(를) 끝에 쓰세요.
        “{1}” is at the end, where {2} belongs.
        끝의 “{1}” 자리에는 {2}을 씁니다.
        “{1}” is not a length of time; write it as 45s, 30m or 1h30m.
        “{1}”은(는) 시간의 길이가 아닙니다. 45s, 30m, 1h30m처럼 쓰세요.
        Say with --opens what this goal opens.
        이 목표를 이루면 무엇이 열리는지 --opens로 쓰세요.
        Only a limit can be for everything; name an app, a category or a site here.
        모든 것에는 한도만 둘 수 있습니다. 앱, 카테고리, 사이트를 쓰세요.
        --on is “{1}”; it must be days such as mon-fri, sat,sun or sun-thu.
        --on의 값 “{1}”은(는) mon-fri, sat,sun, sun-thu 같은 요일이어야 합니다.
        “{1}” is not a part of the day; write it as 21:30-07:00.
        “{1}”은(는) 하루 중의 시간이 아닙니다. 21:30-07:00처럼 쓰세요.
        Say what to change.
        무엇을 바꿀지 쓰세요.
        Say for how long with --for, or end the pause with --end.
        얼마 동안인지 --for로 쓰거나, --end로 쉬는 것을 끝내세요.
        “{1}” is not a length of time; write it as 30m, 1h or 2d.
        “{1}”은(는) 시간의 길이가 아닙니다. 30m, 1h, 2d처럼 쓰세요.
        There is no {1} “{2}”{3}
        {1*} “{2}”: 없습니다{3}
        {1} is a {2}, not a {3}.
        {1}의 종류는 {2*}입니다({3*} 아님).
        “{1}” is not a length of time; write it as 50m or 1h30m.
        “{1}”은(는) 시간의 길이가 아닙니다. 50m이나 1h30m처럼 쓰세요.
        Say with --only what stays open.
        무엇을 계속 쓸지 --only로 쓰세요.
        With everything open there is nothing to focus on; name apps or sites.
        모두 열어 두면 집중할 것이 없습니다. 앱이나 사이트를 쓰세요.
        It always begins now; how long it lasts is said with --for.
        언제나 지금 시작합니다. 얼마나 걸릴지 --for로 쓰세요.
        Name one app, site: or category:, not everything.
        모든 것이 아니라 앱, site:, category: 가운데 하나를 쓰세요.
        --at is “{1}”; it must be {2}.
        --at의 값 “{1}”은(는) 이렇게 씁니다: {2}.
        --at is “{1}”, which is still to come; only the past is recorded.
        --at의 값 “{1}”은(는) 아직 오지 않았습니다. 지난 일만 기록되어 있습니다.
        There is no setting “{1}”{2}
        “{1}” 설정은 없습니다{2}
        “{1}” is not a window; write it as window:x11:0x1a00003 or window:wl:12, or as window:front for the one in front.
        “{1}”은(는) 창이 아닙니다. window:x11:0x1a00003이나 window:wl:12, 맨 앞의 창은 window:front로 쓰세요.
        A window is known only while it is open, so --at does not go with it; ask about its app instead.
        창은 열려 있는 동안만 알 수 있어서 --at과 함께 쓸 수 없습니다. 그 앱을 물어보세요.
        There is no window {1} on the screen.
        화면에 {1} 창이 없습니다.
        desktop-agent is not running, so the screen is not watched.
        desktop-agent가 실행되고 있지 않아서 화면을 지켜보지 않습니다.
        No window can be seen on this desktop. {1}
        이 데스크톱에서는 창을 볼 수 없습니다. {1}
        {1} has no rule that could have days of exception.
        {1} 님에게는 예외인 날을 둘 규칙이 없습니다.
        You have no rule that could have days of exception.
        예외인 날을 둘 규칙이 없습니다.
        {1}; did you mean {2}?
        {1}. 혹시 {2}인가요?
        Did you mean {1}?
        혹시 {1}인가요?
        ; did you mean {1}? The reports are: {2}
        . 혹시 {1}인가요? 있는 보고서: {2}
        . The reports are: {1}
        . 있는 보고서: {1}
        It said: {1}
        프로그램의 말: {1}
        It is about {1}.
        {1} 부분입니다.
        Nothing was brought in, and from this line on nothing would be.
        아무것도 가져오지 않았고, 이 줄부터는 가져올 수 없습니다.
        Nothing was brought in.
        아무것도 가져오지 않았습니다.
        There are: {1}.
        있는 것: {1}.
        {1} sites were added before that.
        그 전에 사이트 {1}개를 추가했습니다.
        {1} is missing: {2}.
        {1} 값이 빠졌습니다: {2}.
        “{1}” is one word too many.
        “{1}”은(는) 필요 없는 말입니다.
        {1} is given twice; it can be given once.
        {1}을(를) 두 번 썼습니다. 한 번만 쓸 수 있습니다.
        {1} is a switch and takes no value.
        {1}에는 값을 쓰지 않습니다.
        {1} needs a value: {2}.
        {1}에는 값이 필요합니다: {2}.
        {1} has no option {2}; did you mean {3}?
        {1} 명령에는 {2} 옵션이 없습니다. 혹시 {3}인가요?
        {1} has no option {2}. It has: {3}.
        {1} 명령에는 {2} 옵션이 없습니다. 있는 옵션: {3}.
        limit
        한도
        downtime
        다운타임
        window
        시간대
        goal
        목표
        break
        휴식
        allow
        허용
        session
        집중
        rule
        규칙
        individual
        개인
        guardian
        보호자
        child
        아이
        waiting
        기다림
        granted
        승인됨
        denied
        거절됨
        revoked
        되돌림
        ended
        끝남
        withdrawn
        거둠
        expired
        때가 지남
        approved
        허용됨
        queued
        줄을 섬
        running
        실행 중
        done
        마침
        parked
        멈춰 둠
        {1} and {2} would both go to standard output; give one of them a file.
        {1}과(와) {2}을(를) 모두 표준 출력으로 보낼 수는 없습니다. 하나에 파일을 지정하세요.
        a time such as 30m or 1h30m
        30m이나 1h30m 같은 시간
        a part of the day such as 17:00-20:00
        17:00-20:00 같은 하루 중의 시간
        Social apps and sites for at most {1} a day, then a shield.
        소셜 앱과 사이트는 하루 {1}까지, 그다음에는 차단 화면.
        Games for at most {1} a day, then a shield.
        게임은 하루 {1}까지, 그다음에는 차단 화면.
        Films, music and videos for at most {1} a day, then a shield.
        영화, 음악, 동영상은 하루 {1}까지, 그다음에는 차단 화면.
        No computer from {1}, but for what is always allowed.
        {1}에는 항상 허용된 것만 쓰고 컴퓨터를 쉽니다.
        Games only from {1}.
        게임은 {1}에만.
        Social apps and sites only from {1}.
        소셜 앱과 사이트는 {1}에만.
        """#
}
