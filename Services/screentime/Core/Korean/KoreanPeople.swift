/// People, passcodes, permissions and apps. A line of English, and its Korean below it.
enum KoreanPeople {
    static let text = #"""
        There is no app {1}.{2}
        {1}(이)라는 앱은 없습니다.{2}
        This computer has no account {1}. {2}There are: {3}.
        이 컴퓨터에 {1} 계정은 없습니다. {2}있는 계정: {3}.
        There is no member {1}.{2}
        {1}(이)라는 사람은 없습니다.{2}
        The bundle
        번들
        - and {1} more.
        - 그 밖에 {1}가지.
        Try again in {1}.
        {1} 뒤에 다시 시도하세요.
        1 try is left before a pause.
        1번 더 시도할 수 있고, 그 뒤에는 잠시 쉽니다.
        {1} tries are left before a pause.
        {1}번 더 시도할 수 있고, 그 뒤에는 잠시 쉽니다.
        The latest is {1}.
        마지막은 {1}입니다.
        See how long the apps, categories and sites that you choose are used.
        선택한 앱, 카테고리, 사이트를 얼마나 사용하는지 봅니다.
        Put shields over them, and take its own shields away.
        그 위에 차단 화면을 띄우고, 스스로 띄운 차단 화면을 거둡니다.
        Act when a time that you agreed on with it begins, ends or is used up.
        정해 둔 시간이 시작되거나 끝나거나 다 쓰였을 때 알림을 받고 그에 따라 동작합니다.
        Choose what its own shields look like.
        스스로 띄운 차단 화면의 모양을 정합니다.
        Act when a button on its shield is pressed.
        차단 화면의 버튼을 누르면 동작합니다.
        Draw reports of your use on this computer.
        이 컴퓨터의 사용 시간 보고서를 그립니다.
        Stay installed until a guardian removes it.
        보호자가 제거할 때까지 설치된 상태로 남습니다.
        """#
}
