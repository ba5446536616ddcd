// Passwords of 12 characters and more that guessing lists open with; shorter ones are refused by length already.
// Our own selection of well-known patterns: keyboard rows, counted digits, doubled words, greetings.

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  123456123456 123456654321 123456789012 1234567890123 12345678901234 123456789123 1234567890qwe 123456789abc
  123456789qwe 123456789101112 1234567891011 0123456789012 098765432109 987654321098 1234567890987654321
  111111111111 000000000000 121212121212 123123123123 abcabcabcabc abc123abc123 abcd1234abcd a1b2c3d4e5f6
  abcdefghijkl abcdefghijklm abcdefghijklmnop aaaaaaaaaaaa asdfasdfasdf asdfghjkl123 asdfghjklzxc asdfghjkl;'\\
  qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyuiopas qwertyuiopasdfghjkl qwertyqwerty qwerty123456 qwerty1234567
  qwerty123456789 1qaz2wsx3edc 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qazxsw23edc zaq12wsxcde3 zaq1xsw2cde3 qazwsxedcrfv
  qweasdzxc123 q1w2e3r4t5y6 zxcvbnm12345 zxcvbnm,./asdf
  password1234 password12345 password123456 passwordpassword password123! password1234! password2023 password2024
  password2025 password2026 passw0rd1234 p@ssw0rd1234 p@ssword1234 p@ssw0rd123! mypassword12 mypassword123
  changeme1234 changeme12345 changemenow1 changemeplease letmein12345 letmeinletmein letmeinplease welcome12345
  welcome123456 welcome12345! welcomewelcome adminadmin12 adminadminadmin admin1234567 admin12345678 admin123456789
  administrator administrator1 administrator123 rootrootroot superadmin123 supersecret1 supersecret123
  secretsecret secretpassword defaultpassword temporary123 temporarypassword testtesttest test12345678 testpassword
  iloveyou1234 iloveyou12345 iloveyouiloveyou ilovemyfamily sunshine1234 princess1234 football1234 baseball1234
  basketball12 superman1234 batman123456 dragon123456 monkey123456 charlie12345 michael12345 jennifer1234
  liverpool123 manchesterunited trustno1trustno1 correcthorsebatterystaple hellohellohello helloworld12 helloworld123
  whatever1234 internet1234 computer1234 samsung12345 google123456 facebook1234 linkedin1234 starwars1234
  minecraft123 pokemon12345 kenningkenning kenning12345 kenning123456 knowledgebase knowledge123
  `
    .split(/\s+/)
    .filter(Boolean),
)
