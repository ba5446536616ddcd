// The texts of the service's own pages and mails in Japanese.

import type { Catalogue } from './messages.ts'

export const ja: Catalogue = {
  'This link is no longer valid': 'このリンクは無効になっています',
  'Sign in': 'ログイン',
  'Password, at least 12 characters': 'パスワード（12文字以上）',
  'Repeat the password': 'パスワード（確認）',
  'Set up Kenning': 'Kenningの初期設定',
  'Create the first account. It is the administrator: it can invite others.':
    '最初のアカウントを作成してください。このアカウントは管理者となり、ほかの人を招待できます。',
  'Email address': 'メールアドレス',
  'Create account': 'アカウントを作成',
  'Kenning prints a new setup link each time it starts without an account; an earlier one no longer works. If the first account exists already, sign in.':
    'アカウントがない状態で起動するたびに、Kenningは新しい初期設定リンクを表示します。以前のリンクは使えません。最初のアカウントがすでにある場合は、ログインしてください。',
  'The link was already used or has expired. Make a new one, or sign in.':
    'このリンクは使用済みか、有効期限が切れています。新しいリンクを作成するか、ログインしてください。',
  'Open Kenning': 'Kenningを開く',
  'You will be signed in as {email} in this browser. The link works once.':
    'このブラウザーで{email}としてログインします。リンクは1回だけ使えます。',
  'Create your account': 'アカウントの作成',
  'The invitation has expired, was already used or has been withdrawn. Ask your administrator for a new one.':
    '招待は有効期限切れか、使用済みか、取り消されています。管理者に新しい招待を依頼してください。',
  'Choose a new password': '新しいパスワードの設定',
  'Set password': 'パスワードを設定',
  'Reset your password': 'パスワードの再設定',
  'Email address of your account': 'アカウントのメールアドレス',
  'Send reset link': '再設定用リンクを送信',
  'This server does not send email. Ask the administrator for a link to reset your password.':
    'このサーバーはメールを送信しません。パスワードを再設定するためのリンクを管理者に依頼してください。',
  'The link has expired or was already used. Request a new one.':
    'リンクは有効期限切れか、使用済みです。新しいリンクを請求してください。',
  'Check your email': 'メールをご確認ください',
  'If there is an account with this email address, we have sent a link to reset its password. It works once, within an hour.':
    'このメールアドレスのアカウントがある場合は、パスワードを再設定するためのリンクを送信しました。リンクは1時間以内に1回だけ使えます。',
  'This page has expired. Go back, reload it and try again.':
    'このページの有効期限が切れています。前のページに戻り、再読み込みしてからもう一度お試しください。',
  'The form contains an invalid value': 'フォームに無効な値があります',
  'The two passwords do not match': '2つのパスワードが一致しません',
  'Go to your workspaces': 'ワークスペースへ移動',
  'Not found': '見つかりません',
  'Not allowed': '許可されていません',
  'Too many attempts': '試行回数が多すぎます',
  'Something went wrong': '問題が発生しました',
  'Request rejected': 'リクエストが拒否されました',
  'The URL to redirect to is too long. Go back and use fewer parameters.':
    '転送先のURLが長すぎます。前のページに戻り、パラメーターを減らしてください。',
  'Enter your email address and your password.': 'メールアドレスとパスワードを入力してください。',
  Password: 'パスワード',
  'Sign in with {company}': '{company}でログイン',
  'Forgot your password?': 'パスワードをお忘れですか？',
  'Kenning is not set up yet': 'Kenningはまだ設定されていません',
  'There is no account yet. Open the setup link that Kenning printed when it started, to create the first one.':
    'アカウントがまだありません。Kenningの起動時に表示された初期設定リンクを開いて、最初のアカウントを作成してください。',
  'The link is in the terminal or the log of {command}. A restart prints a new one.':
    'リンクは{command}の端末またはログにあります。再起動すると新しいリンクが表示されます。',
  'The email address or password is incorrect.': 'メールアドレスまたはパスワードが正しくありません。',
  'Sign-up is closed on this server. Ask the administrator for an invitation.':
    'このサーバーでは新規登録を受け付けていません。管理者に招待を依頼してください。',
  'This invitation has expired, was already used or is for another email address. Ask for a new one.':
    'この招待は有効期限切れか、使用済みか、別のメールアドレス宛てです。新しい招待を依頼してください。',
  'An account with this email address already exists; sign in instead':
    'このメールアドレスのアカウントはすでにあります。ログインしてください',
  'The password must have at least 12 characters': 'パスワードは12文字以上にしてください',
  'The password must have at most 1000 characters': 'パスワードは1000文字以内にしてください',
  'This password is too easy to guess; choose another one, for example four unrelated words':
    'このパスワードは推測されやすいため使えません。無関係な4つの単語を並べるなど、別のものにしてください',
  'This link has expired or was already used. Request a new one.':
    'このリンクは有効期限切れか、使用済みです。新しいリンクを請求してください。',
  'Email is not configured on this server. Ask the administrator for a password reset link.':
    'このサーバーではメールが設定されていません。パスワードを再設定するためのリンクを管理者に依頼してください。',
  'Too many sign-ins are in progress; try again in a moment.':
    '現在ログイン処理が混み合っています。少し待ってからもう一度お試しください。',
  'This account is suspended. Ask your administrator.':
    'このアカウントは停止されています。管理者にお問い合わせください。',
  'You are not in a company group that may use Kenning. Ask your administrator.':
    'Kenningの利用を許可された社内グループに所属していません。管理者にお問い合わせください。',
  'Your company’s identity provider does not confirm your email address. Ask your administrator.':
    '会社の認証サービスでメールアドレスが確認されていません。管理者にお問い合わせください。',
  'Your company’s identity provider does not send a valid email address for you. Ask your administrator.':
    '会社の認証サービスから有効なメールアドレスが送られてきません。管理者にお問い合わせください。',
  'Your email address belongs to the account of another company user. Ask your administrator.':
    'このメールアドレスは社内の別のユーザーのアカウントで使われています。管理者にお問い合わせください。',
  'Kenning has no administrator yet: the first account has to be created with the setup token.':
    'Kenningにはまだ管理者がいません。最初のアカウントは初期設定トークンで作成する必要があります。',
  'This sign-in was started in another browser or more than 15 minutes ago. Start again.':
    'このログインは別のブラウザーで開始されたか、開始から15分以上たっています。最初からやり直してください。',
  'Your company’s identity provider refused the sign-in. Start again.':
    '会社の認証サービスがログインを拒否しました。最初からやり直してください。',
  'Your company’s identity provider could not complete the sign-in. Start again, or ask your administrator.':
    '会社の認証サービスでログインを完了できませんでした。最初からやり直すか、管理者にお問い合わせください。',
  'Company sign-in is not configured on this server.':
    'このサーバーでは会社アカウントでのログインが設定されていません。',
  'This application is not registered on this server, or its registration has expired. Remove the connection in the application and add it again.':
    'このアプリケーションはこのサーバーに登録されていないか、登録の有効期限が切れています。アプリケーションで接続を削除し、もう一度追加してください。',
  'This is not a valid email address': 'メールアドレスの形式が正しくありません',
  'There is no page at this address.': 'このアドレスにページはありません。',
  'The service is restarting; try again in a few seconds.':
    'サービスを再起動しています。数秒後にもう一度お試しください。',
  'The database is not reachable at the moment; try again in a few seconds.':
    '現在データベースに接続できません。数秒後にもう一度お試しください。',
  'The database did not answer in time; try again in a few seconds.':
    'データベースから時間内に応答がありませんでした。数秒後にもう一度お試しください。',
  email: 'メールアドレス',
  password: 'パスワード',
  'Check “{field}”: {problem}': '「{field}」を確認してください：{problem}',
  'Too many attempts. Try again in {count} seconds.': {
    other: '試行回数が多すぎます。{count}秒後にもう一度お試しください。',
  },
  'The form contains no decision: choose Allow or Deny.':
    'フォームに選択がありません。「許可」または「拒否」を選んでください。',
  'Create, change and delete workspaces and documents where your role allows it':
    '権限の範囲で、ワークスペースと文書を作成、変更、削除する',
  'Allow “{name}” to access Kenning?': '「{name}」にKenningへのアクセスを許可しますか？',
  'It will be able to': '許可すると、次のことができるようになります',
  'Read, search and ask questions in all workspaces that you can read':
    '閲覧できるすべてのワークスペースで、読み取り、検索、質問をする',
  'It returns you to': '戻り先',
  'It acts as {email} until you disconnect it under Connections.':
    '「接続」で切断するまで、{email}として動作します。',
  'Use another account': '別のアカウントを使う',
  Deny: '拒否',
  Allow: '許可',
  'An application that calls itself {name} wants to access Kenning on your behalf. This name has not been verified: allow access only if you have just started this yourself.':
    '{name}と名乗るアプリケーションが、あなたに代わってKenningにアクセスしようとしています。この名前は確認されていません。ご自身で今この操作を始めた場合にのみ許可してください。',
  '{name}, an application of {host}, wants to access Kenning on your behalf. Allow access only if you have just started this yourself.':
    '{host}のアプリケーション{name}が、あなたに代わってKenningにアクセスしようとしています。ご自身で今この操作を始めた場合にのみ許可してください。',
  'A program on this computer.': 'このコンピューター上のプログラム。',
  'The app on this device that opens links of this kind.': 'この種類のリンクを開く、この端末上のアプリ。',
  'Any program on this computer could have asked for access under this name. Kenning cannot tell which one it is.':
    'このコンピューター上のどのプログラムでも、この名前でアクセスを要求できます。Kenningはどのプログラムかを判別できません。',
  'Reset your Kenning password': 'Kenningのパスワードの再設定',
  'Someone, probably you, asked to reset the Kenning password of this email address.':
    'このメールアドレスのKenningパスワードを再設定するよう、どなたか（おそらくご本人）が依頼しました。',
  'If it was not you, ignore this email: your password stays the same.':
    'お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',
  'Enter your code': 'コードの入力',
  'Your second factor': '2要素認証',
  'Enter the code that your authenticator app shows for Kenning, or one of your recovery codes.':
    '認証アプリに表示されているKenningのコード、またはリカバリーコードを入力してください。',
  Code: 'コード',
  'Sign in as somebody else': '別のアカウントでログイン',
  'Without the app and without recovery codes, ask your administrator to reset your second factor.':
    'アプリもリカバリーコードもない場合は、2要素認証のリセットを管理者に依頼してください。',
  'The code is wrong, was already used or has expired.':
    'コードが間違っているか、使用済みか、有効期限が切れています。',
  'The sign-in took too long. Enter your password again.':
    'ログインに時間がかかりすぎました。パスワードをもう一度入力してください。',
  'Your account will be {email}.': 'アカウントは{email}になります。',
  'Kenning searches documents and answers questions about them, with the sentences that each answer comes from.':
    'Kenningは文書を検索し、質問に対して、根拠となる文を示しながら答えます。',
  'You can read its documents, search them and ask about them.': '文書の閲覧、検索、質問ができます。',
  'You can read its documents, ask about them, and add, change and delete documents.':
    '文書の閲覧と質問に加え、文書の追加、変更、削除ができます。',
  'You can do everything in it, also manage its members.': 'メンバーの管理を含め、すべての操作ができます。',
  '{person} invites you to Kenning.': '{person}さんがKenningに招待しています。',
  '{person} invites you to the workspace “{workspace}” in Kenning.':
    '{person}さんがKenningのワークスペース「{workspace}」に招待しています。',
  '{person} invites you to “{workspace}” in Kenning': '{person}さんからKenningの「{workspace}」への招待',
  '{person} invites you to Kenning': '{person}さんからKenningへの招待',
  'The link works once, within 7 days.': 'リンクは7日以内に1回だけ使えます。',
  'Open your account page': 'アカウントページを開く',
  'The link works once, within an hour.': 'リンクは1時間以内に1回だけ使えます。',
  'If you did not expect this invitation, ignore this email: no account is created without you.':
    '招待にお心当たりがない場合は、このメールを無視してください。お客様が操作しない限り、アカウントは作成されません。',
  'If the button does not work, open this address in your browser:':
    'ボタンが使えない場合は、次のアドレスをブラウザーで開いてください：',
  'This email was sent by Kenning at {address}.': 'このメールは {address} のKenningから送信されました。',
  'You turned off your second factor on your account page: from now on, your password alone signs you in at {address}.':
    'アカウントページでの操作により、2要素認証が無効になりました。今後は、パスワードだけで {address} にログインできます。',
  'An administrator turned off your second factor: from now on, your password alone signs you in at {address}.':
    '管理者が2要素認証を無効にしました。今後は、パスワードだけで {address} にログインできます。',
  'The second factor of your Kenning account is off': 'Kenningアカウントの2要素認証が無効になりました',
  'You can set up a new one on your account page.': 'アカウントページで、新しく設定できます。',
  'If you did not expect this, change your password and tell your administrator.':
    '心当たりがない場合は、パスワードを変更し、管理者に連絡してください。',
  'The second factor of your Kenning account is on': 'Kenningアカウントの2要素認証が有効になりました',
  'From now on, signing in with your password at {address} also asks for your second factor.':
    '今後、{address} にパスワードでログインする際には、2要素認証も必要になります。',
  'Keep your recovery codes where you find them without your phone.':
    'リカバリーコードは、スマートフォンがなくても取り出せる場所に保管してください。',
  'New recovery codes for your Kenning account': 'Kenningアカウントの新しいリカバリーコード',
  'You made new recovery codes on your account page at {address}. The former ones no longer work.':
    '{address} のアカウントページで新しいリカバリーコードが作成されました。以前のコードは使えなくなりました。',
  'A recovery code of your Kenning account was used': 'Kenningアカウントのリカバリーコードが使用されました',
  'Someone, probably you, signed in at {address} with your password and a recovery code.':
    'どなたか（おそらくご本人）が、パスワードとリカバリーコードで {address} にログインしました。',
  '{count} recovery codes are left.': { other: 'リカバリーコードの残り：{count}個。' },
  'You can make new recovery codes on your account page.':
    '新しいリカバリーコードは、アカウントページで作成できます。',
  'A passkey was added to your Kenning account': 'Kenningアカウントにパスキーが追加されました',
  'From now on, you can also sign in at {address} with your password and the passkey “{name}”.':
    '今後は、パスワードとパスキー「{name}」でも {address} にログインできます。',
  'An authenticator app was added to your Kenning account': 'Kenningアカウントに認証アプリが追加されました',
  'From now on, you can also sign in at {address} with your password and a code of the app.':
    '今後は、パスワードと認証アプリのコードでも {address} にログインできます。',
  'The authenticator app was removed from your Kenning account':
    'Kenningアカウントから認証アプリが削除されました',
  'Codes of the app no longer sign you in at {address}. Your passkeys and recovery codes still work.':
    '認証アプリのコードでは {address} にログインできなくなりました。パスキーとリカバリーコードは引き続き使えます。',
  'A passkey was removed from your Kenning account': 'Kenningアカウントからパスキーが削除されました',
  'The passkey “{name}” no longer signs you in at {address}.':
    'パスキー「{name}」では {address} にログインできなくなりました。',
  'The passkey was not accepted. Try again.': 'パスキーは受け付けられませんでした。もう一度お試しください。',
  'Use a passkey': 'パスキーを使う',
  'Without your passkey, enter one of your recovery codes.':
    'パスキーがない場合は、リカバリーコードを入力してください。',
  'Without your passkey and without recovery codes, ask your administrator to reset your second factor.':
    'パスキーもリカバリーコードもない場合は、2要素認証のリセットを管理者に依頼してください。',
}
