/// Records, reports, exports and databases. A line of English, and its Korean below it.
enum KoreanData {
    static let text = #"""
        {1} already exists, and a backup never replaces a file.
        {1}: 이미 있습니다. 백업은 파일을 덮어쓰지 않습니다.
        activity-center makes no progress; try again.
        activity-center가 나아가지 않습니다. 다시 시도하세요.
        {1} has no {2}, or it cannot be read.
        {1}에 {2}이(가) 없거나 읽을 수 없습니다.
        The check of {1} {2}.
        {1} 검사를 마치지 못했습니다: {2}.
        No progress for five minutes. Reports still use the old figures.
        5분 동안 나아가지 않았습니다. 보고서는 아직 예전 수치를 씁니다.
        report-service was restarted meanwhile, and reports still use the old figures. Try again.
        그사이 report-service가 다시 시작되어, 보고서는 아직 예전 수치를 씁니다. 다시 시도하세요.
        --to is not after --from, so there is nothing between them.
        --to가 --from보다 뒤가 아니어서 그 사이에 아무것도 없습니다.
        {1} is “{2}”; it must be {3}.
        {1}의 값 “{2}”은(는) 이렇게 씁니다: {3}.
        {1} already exists, and an export never replaces a file.
        {1}: 이미 있습니다. 내보내기는 파일을 덮어쓰지 않습니다.
        Cannot write {1}: {2}.
        {1}에 쓸 수 없습니다: {2}.
        This deletes records for good, and there is no terminal to ask at. Add --yes to go ahead.
        기록을 영영 지우는 일인데, 물어볼 터미널이 없습니다. 그대로 하려면 --yes를 붙이세요.
        {1} holds no backup: there is no file such as {2}.sqlite in it.
        {1}: 백업이 아닙니다. {2}.sqlite 같은 파일이 없습니다.
        {1} runs as process {2}. Stop Screen Time first; nothing was changed.
        {1}이(가) 프로세스 {2}(으)로 실행되고 있습니다. 먼저 스크린 타임을 멈추세요. 아무것도 바꾸지 않았습니다.
        {1} is not a database of Screen Time. Nothing was changed.
        {1}: 스크린 타임의 데이터베이스가 아닙니다. 아무것도 바꾸지 않았습니다.
        {1} is shorter than it says: a part of it is missing. Nothing was changed; take another backup.
        {1}: 적힌 것보다 짧아서 일부가 없습니다. 아무것도 바꾸지 않았습니다. 다른 백업을 쓰세요.
        {1} could not be copied to {2}: {3}. Mend that and try again.
        {1}을(를) {2}에 복사하지 못했습니다: {3}. 바로잡고 다시 시도하세요.
        Line 1: {1} {2}, so it is not an export. Nothing was brought in.
        1번째 줄: {1} {2}. 내보낸 파일이 아니어서 아무것도 가져오지 않았습니다.
        Line 1: this export has version {1}, and this program reads version {2}. Nothing was brought in; use the program that wrote it, or a newer one.
        1번째 줄: 내보낸 파일의 버전은 {1}이고, 이 프로그램은 버전 {2}을(를) 읽습니다. 아무것도 가져오지 않았습니다. 그 파일을 쓴 프로그램이나 더 새로운 것을 쓰세요.
        Cannot read {1}: {2}.
        {1}을(를) 읽을 수 없습니다: {2}.
        {1} is a directory; name the file that `screentime data export` wrote.
        {1}: 폴더입니다. `screentime data export`로 만든 파일을 쓰세요.
        {1} is not a plain file. Write its content into a file first.
        {1}: 보통 파일이 아닙니다. 먼저 내용을 파일에 저장하세요.
        Line {1}: {2}
        {1}번째 줄: {2}
        What was counted for an activity does not belong to its events.
        활동에서 센 것이 그 활동의 일과 맞지 않습니다.
        {1} was not asked; try again.
        {1}에 묻지 못했습니다. 다시 시도하세요.
        Say in 1 to {1} bytes, without control characters, why the loss is accepted.
        손실을 받아들이는 까닭을 제어 문자 없이 1–{1}바이트로 쓰세요.
        A request carries 1 to {1} rows and notifications.
        요청 하나에 줄과 알림을 1–{1}개 보냅니다.
        The id of a device has no slash, does not begin with a dot and is not “{1}”, which means this computer; neither it nor the name has control characters.
        기기의 ID에는 빗금이 없고, 점으로 시작하지 않으며, 이 컴퓨터를 뜻하는 “{1}”이(가) 아니어야 합니다. ID와 이름에 제어 문자는 쓸 수 없습니다.
        This ends before it begins.
        시작하기 전에 끝납니다.
        A time or sequence is out of any sensible range.
        시간이나 순서가 말이 되지 않는 값입니다.
        This machine has been running for {1}; this row ends after that.
        이 컴퓨터는 켜진 지 {1} 되었는데, 이 줄은 그보다 뒤에 끝납니다.
        This lasts {1}; an imported row lasts at most 31 days.
        길이가 {1}입니다. 가져오는 줄은 31일까지 됩니다.
        There is no member {1} in this household. Add them first, so that this time has an owner.
        이 집에는 {1}(이)라는 사람이 없습니다. 이 시간의 주인이 있도록 먼저 추가하세요.
        This is from another device than the one that the request names. Send one request per device.
        요청에 적힌 기기가 아닌 다른 기기의 것입니다. 기기마다 따로 보내세요.
        {1} is not a time zone; send an IANA name such as Asia/Seoul.
        {1}은(는) 시간대가 아닙니다. Asia/Seoul 같은 IANA 이름을 쓰세요.
        This time is out of the range of dates.
        날짜의 범위를 벗어난 시간입니다.
        This reaches to {1}, which is in the future. Only the past can be imported.
        아직 오지 않은 {1}까지 이어집니다. 지난 일만 가져올 수 있습니다.
        Boot time went backwards from {1} to {2} within one start of the machine.
        컴퓨터를 한 번 켠 동안 켜진 시간이 {1}에서 {2}(으)로 거꾸로 갔습니다.
        {1} was written by another version of Screen Time. Start this one with it once, and check it then.
        {1}은(는) 다른 버전의 스크린 타임이 썼습니다. 이 버전으로 한 번 시작한 뒤에 확인하세요.
        The range ends before it begins, or its years are out of range.
        시작하기 전에 끝나거나, 연도가 범위를 벗어났습니다.
        You can delete only your own past, and this account is {1}'s.
        자기 기록만 지울 수 있는데, 이 계정은 {1} 님의 것입니다.
        The past of {1} devices is imported already, which is the limit.
        기기 {1}대의 기록을 이미 가져왔고, 더 가져올 수 없습니다.
        Neither agent nor run may have a slash in its name.
        agent와 run의 이름에는 빗금을 쓸 수 없습니다.
        {1} is not an agent that may report here. Add it to `agents` of [activity-center].
        {1}은(는) 여기에 보고할 수 있는 agent가 아닙니다. [activity-center]의 `agents`에 추가하세요.
        A request carries 1 to {1} observations.
        요청 하나에 관찰을 1–{1}개 보냅니다.
        The last input cannot be later than the observation that reports it.
        마지막 입력은 그것을 보고한 관찰보다 뒤일 수 없습니다.
        This observation is {1} ms ahead of this machine's own clock. Send the boot time at which it was made.
        이 관찰은 이 컴퓨터의 시계보다 {1}밀리초 앞섭니다. 관찰한 때의 켜진 시간을 보내세요.
        Notifications name 1 to {1} apps; leave them out when there are none.
        알림에는 앱을 1–{1}개 쓰고, 없으면 빼세요.
        A count of notifications is a number from 1 to {1}.
        알림의 수는 1부터 {1}까지의 숫자입니다.
        A name has 1 to {1} bytes.
        이름은 1–{1}바이트입니다.
        Observation {1} of this run must come before {2}. Send from there.
        이 실행의 관찰 {1}이(가) {2}보다 먼저 와야 합니다. 거기서부터 보내세요.
        {1} agents have reported here already, which is the limit. Use one agent per session.
        agent {1}개가 이미 여기에 보고했고, 더는 안 됩니다. 세션마다 agent 하나를 쓰세요.
        The interval lies outside the years 1970 to 2199.
        기간이 1970년–2199년을 벗어났습니다.
        The interval ends ({1}) before it begins ({2}).
        기간이 시작({2})하기 전에 끝납니다({1}).
        A report by hours covers at most a year. Take days, or a shorter interval.
        시간별 보고서는 1년까지 됩니다. 일별로 보거나 기간을 줄이세요.
        A report covers at most ten years. Take a shorter interval.
        보고서는 10년까지 됩니다. 기간을 줄이세요.
        A week begins on one of the days 1 (Sunday) to 7 (Saturday).
        한 주는 1(일요일)부터 7(토요일) 가운데 한 요일에 시작합니다.
        A filter of an app has segments of an hour, a day or a week; add them up for the whole.
        앱의 필터는 한 시간, 하루, 한 주로 나눕니다. 전체는 더해서 구하세요.
        A segment is an hour, a day or a week; nothing finer than an hour is kept.
        한 시간, 하루, 한 주로 나눕니다. 한 시간보다 작게는 남아 있지 않습니다.
        A language is written as ko, ko-KR or en_US.
        언어는 ko, ko-KR, en_US처럼 씁니다.
        The name of a report has 1 to {1} bytes and no control characters.
        보고서의 이름은 1–{1}바이트이고, 제어 문자는 쓸 수 없습니다.
        auth-service has not said yet who lets {1} see their use.
        누가 {1}에 사용 기록을 보여 주는지 auth-service가 아직 알려 주지 않았습니다.
        No child of this household has allowed {1} to see its use, so there is nothing to show. A guardian has to allow it, or the filter has to ask for .all or leave `users` out.
        이 집의 어느 아이도 {1}에 사용 기록을 보여 주기로 하지 않아서 보여 줄 것이 없습니다. 보호자가 허용하거나, 필터가 .all을 묻거나 `users`를 빼야 합니다.
        No device of the kind {1} is known. There are: {2}. An app that was written for a phone says "deviceModel": "iPhone" in its manifest.json; then its filters mean this computer.
        {1}: 그런 종류의 기기는 없습니다. 있는 것: {2}. 전화기용으로 만든 앱은 manifest.json에 "deviceModel": "iPhone"을 쓰세요. 그러면 필터가 이 컴퓨터를 뜻합니다.
        {1} has not allowed {2} to see their use.
        {1} 님이 {2}에 사용 기록을 보는 것을 허용하지 않았습니다.
        auth-service has not said yet which apps there are.
        어떤 앱이 있는지 auth-service가 아직 알려 주지 않았습니다.
        {1} is not a day; write it as 2026-11-20.
        {1}은(는) 날짜가 아닙니다. 2026-11-20처럼 쓰세요.
        There is no time zone {1}; write it like Asia/Seoul or Europe/Berlin.
        시간대 {1}은(는) 없습니다. Asia/Seoul이나 Europe/Berlin처럼 쓰세요.
        A report goes by hour, day, week or whole; nothing finer than an hour is kept. For the single stretches of a day ask for usage.list.
        보고서는 hour, day, week, whole로 나눕니다. 한 시간보다 작게는 남아 있지 않습니다. 하루의 구간 하나하나는 usage.list로 물으세요.
        Rows can be grouped by {1}.
        줄은 이렇게 묶을 수 있습니다: {1}.
        A week begins with a day from 1, which is Sunday, to 7, which is Saturday.
        한 주는 1(일요일)부터 7(토요일) 가운데 한 요일에 시작합니다.
        Ask for the first 1 to {1} rows, or for all by leaving it out.
        처음 1–{1}개를 묻거나, 빼서 모두 물으세요.
        A list of what to report on has {1} names at most.
        보고할 목록에는 이름을 {1}개까지 씁니다.
        Times of a report are milliseconds since 1970-01-01, up to the year 2200.
        보고서의 시간은 1970-01-01부터의 밀리초이고, 2200년까지입니다.
        The report would end before it starts; its end must be later than its start.
        보고서가 시작하기 전에 끝납니다. 끝이 시작보다 뒤여야 합니다.
        A report covers {1} years at most. Ask for a shorter time.
        보고서는 {1}년까지 됩니다. 기간을 줄이세요.
        That would be {1} parts, and a report has {2} at most. Ask for a shorter time, or for longer parts, such as days or weeks.
        나누면 {1}개가 되는데, 보고서는 {2}개까지 됩니다. 기간을 줄이거나, 하루나 한 주처럼 길게 나누세요.
        The figures are being built from the stream already; ask again when that is done.
        수치를 이미 기록에서 다시 만들고 있습니다. 끝나면 다시 물으세요.
        The new figures are not where they were made. Try again.
        새 수치가 만들어진 자리에 없습니다. 다시 시도하세요.
        The figures cannot be built anew at the moment; try again.
        지금은 수치를 다시 만들 수 없습니다. 다시 시도하세요.
        auth-service has not said what the tokens stand for.
        auth-service가 토큰이 무엇을 뜻하는지 알려 주지 않았습니다.
        This token stands for the kind {1}, but the kind {2} belongs here.
        이 토큰의 종류는 {1}인데, 여기에는 {2}이(가) 필요합니다.
        auth-service has not said who may see this.
        누가 이것을 볼 수 있는지 auth-service가 알려 주지 않았습니다.
        The extensions of apps cannot be asked at this moment; try again.
        지금은 앱의 확장에 물을 수 없습니다. 다시 시도하세요.
        {1} has no report extension. Its manifest.json names one under `extensions`, with the point {2}.
        {1}: 보고서 확장이 없습니다. manifest.json의 `extensions`에 {2} 지점으로 씁니다.
        The figures are being built anew at this moment, so a part of them is missing. Ask again in a moment.
        지금 수치를 다시 만들고 있어서 일부가 빠져 있습니다. 잠시 뒤에 다시 물으세요.
        New use comes in faster than the new figures can catch up. Try again when less is going on.
        새 사용 기록이 새 수치보다 빨리 들어옵니다. 한가할 때 다시 시도하세요.
        The ledger's stream started anew meanwhile, and so did the figures; there is nothing left to do.
        그사이 기록의 흐름이 새로 시작되었고, 수치도 그렇습니다. 더 할 일은 없습니다.
        {1} makes no report “{2}”.{3} {4}
        {1}은(는) “{2}” 보고서를 만들지 않습니다.{3} {4}
        The report “{1}” of {2} answered nothing: its scene has no view to show. On a phone it would be blank.
        {2}의 “{1}” 보고서가 비어 있습니다. 장면에 보여 줄 것이 없습니다. 전화기에서도 비어 보였을 것입니다.
        {1} reports are being made already; ask again in a moment.
        보고서 {1}개를 이미 만들고 있습니다. 잠시 뒤에 다시 물으세요.
        {1} reports of this app are being made already; ask again in a moment.
        이 앱의 보고서 {1}개를 이미 만들고 있습니다. 잠시 뒤에 다시 물으세요.
        This report is not kept any more. Have it made again.
        이 보고서는 이제 남아 있지 않습니다. 다시 만드세요.
        The report has no such piece.
        보고서에 그런 조각은 없습니다.
        {1} is closed; the service is stopping.
        {1}: 닫혔습니다. 서비스가 멈추는 중입니다.
        The transaction on {1} was undone by an earlier error; nothing was changed. Try again.
        {1}: 앞선 오류 때문에 되돌려져서 아무것도 바뀌지 않았습니다. 다시 시도하세요.
        SQLite did not accept {1} for {2} (it is {3}). Check that the file is on a local disk and that the distribution's SQLite is installed.
        SQLite가 {2}에 {1}을(를) 받아들이지 않았습니다(지금 값: {3}). 파일이 이 컴퓨터의 디스크에 있는지, 배포판의 SQLite가 설치되어 있는지 확인하세요.
        A transaction was begun inside another; please report this.
        처리 안에서 또 처리를 시작했습니다. 이 문제를 알려 주세요.
        A change was about to be written outside of a transaction; please report this.
        처리 밖에서 변경을 쓰려고 했습니다. 이 문제를 알려 주세요.
        {1} exists already and was not replaced. Give another name, or move the file away.
        {1}: 이미 있어서 덮어쓰지 않았습니다. 다른 이름을 쓰거나 파일을 옮기세요.
        Another program is reading {1}, so its log could not be emptied. Try again.
        다른 프로그램이 {1}을(를) 읽고 있어서 로그를 비우지 못했습니다. 다시 시도하세요.
        There is no room left on the disk of {1}. Free some space and try again.
        {1}의 디스크에 남은 공간이 없습니다. 공간을 비우고 다시 시도하세요.
        {1} cannot be opened ({2}); check that its directory exists.
        {1}: 열 수 없습니다({2}). 폴더가 있는지 확인하세요.
        A reply to the idempotency key {1} is already stored. Send a new request with a new key.
        `idempotency_key` {1}에 대한 답이 이미 있습니다. 새 요청은 새 값으로 보내세요.
        {1} has a different history from the one this version expects (found {2}, expected {3}). Install the version that wrote it, or restore a backup.
        {1}: 이 버전이 아는 것과 다른 과정을 거쳤습니다({2}, 기대한 것 {3}). 그것을 쓴 버전을 설치하거나, 백업을 되돌리세요.
        Column {1} does not hold {2}; the file was written by another version. Update screentime, or restore a backup.
        {1}열에 {2}이(가) 없습니다. 다른 버전이 쓴 파일입니다. 스크린 타임을 업데이트하거나, 백업을 되돌리세요.
        There is not enough memory to read column {1}. Close some programs and try again.
        {1}열을 읽을 메모리가 모자랍니다. 프로그램을 몇 개 닫고 다시 시도하세요.
        {1} is damaged ({2}). Stop Screen Time and put a backup back with `screentime data restore FOLDER`, or move the file away to start empty.
        {1}: 손상되었습니다({2}). 스크린 타임을 멈추고 `screentime data restore FOLDER`로 백업을 되돌리거나, 파일을 옮기고 비어 있는 상태로 시작하세요.
        {1} belongs to another program (application id {2}, not {3}). Nothing was changed; move the file away, or give another data directory.
        {1}: 다른 프로그램의 파일입니다(프로그램 번호 {2}, 기대한 것 {3}). 아무것도 바꾸지 않았습니다. 파일을 옮기거나 다른 폴더를 쓰세요.
        {1} cannot be written ({2}). Give its owner write permission on the file and its directory, and check that the disk is not read-only.
        {1}: 쓸 수 없습니다({2}). 주인에게 파일과 폴더에 쓸 권한을 주고, 디스크가 읽기 전용이 아닌지 확인하세요.
        {1} was written by a newer version (schema {2}, this one knows {3}). Update screentime, or restore a backup made before the update.
        {1}: 더 새로운 버전이 썼습니다(형식 {2}, 이 버전이 아는 것은 {3}). 스크린 타임을 업데이트하거나, 업데이트 전의 백업을 되돌리세요.
        There is no room left on the disk of {1}, and the change was not made. Free some space and try again.
        {1}의 디스크에 남은 공간이 없어서 바꾸지 못했습니다. 공간을 비우고 다시 시도하세요.
        {1} is in use by another program. Close any tool that has it open and try again.
        {1}: 다른 프로그램이 쓰고 있습니다. 열어 둔 프로그램을 닫고 다시 시도하세요.
        There is not enough memory for a query. Close some programs and try again.
        물어볼 메모리가 모자랍니다. 프로그램을 몇 개 닫고 다시 시도하세요.
        The disk of {1} reported an error ({2}), and the change was not made. Look at the system log for disk errors, and make a backup.
        {1}의 디스크에서 오류({2})가 나서 바꾸지 못했습니다. 시스템 로그에서 디스크 오류를 확인하고 백업하세요.
        What was cut off or damaged is lost.
        잘리거나 손상된 것은 잃었습니다.
        It makes none.
        만드는 것이 없습니다.
        Line {1} is “{2}”.
        {1}번째 줄: “{2}”.
        the file ends here and had {1} lines a moment ago: it was cut off while it was read.
        파일이 여기서 끝나는데 조금 전에는 {1}줄이었습니다. 읽는 동안 잘렸습니다.
        the file changed while it was read.
        읽는 동안 파일이 바뀌었습니다.
        the line is empty.
        빈 줄입니다.
        it is longer than {1}, the most that a line of an export can be.
        {1}보다 깁니다. 내보낸 파일의 한 줄은 그만큼까지입니다.
        another stretch is already recorded for a part of this time.
        이 시간의 일부에 이미 다른 구간이 기록되어 있습니다.
        there is another rule {1} here, which stays as it is.
        여기에 다른 규칙 {1}이(가) 있어서 그대로 둡니다.
        {1} is {2} here and stays so; the file says {3}.
        {1} 님은 여기서 {2*}(으)로 남습니다. 파일에는 {3*}입니다.
        {1} was moved to {2} here and stays there.
        {1}은(는) 여기서 {2}(으)로 옮겨져 있어서 그대로 둡니다.
        there is a list {1} of {2} here, which stays.
        여기에 {2} 카테고리의 목록 {1}이(가) 있어서 그대로 둡니다.
        no earlier line describes the device “{1}”.
        기기 “{1}”을(를) 설명하는 앞줄이 없습니다.
        """#
}
