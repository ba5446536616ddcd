// The texts of the service's own pages and mails in German.

import type { Catalogue } from './messages.ts'

export const de: Catalogue = {
  'This link is no longer valid': 'Dieser Link ist nicht mehr gültig',
  'Sign in': 'Anmelden',
  'Password, at least 12 characters': 'Passwort, mindestens 12 Zeichen',
  'Repeat the password': 'Passwort wiederholen',
  'Set up Kenning': 'Kenning einrichten',
  'Create the first account. It is the administrator: it can invite others.':
    'Legen Sie das erste Konto an. Es gehört der Administration und kann andere einladen.',
  'Email address': 'E-Mail-Adresse',
  'Create account': 'Konto anlegen',
  'Kenning prints a new setup link each time it starts without an account; an earlier one no longer works. If the first account exists already, sign in.':
    'Kenning gibt bei jedem Start ohne Konto einen neuen Link zur Einrichtung aus; ein früherer gilt dann nicht mehr. Wenn es das erste Konto schon gibt, melden Sie sich an.',
  'The link was already used or has expired. Make a new one, or sign in.':
    'Der Link wurde schon benutzt oder ist abgelaufen. Erstellen Sie einen neuen, oder melden Sie sich an.',
  'Open Kenning': 'Kenning öffnen',
  'You will be signed in as {email} in this browser. The link works once.':
    'Sie werden in diesem Browser als {email} angemeldet. Der Link gilt einmal.',
  'Create your account': 'Konto anlegen',
  'The invitation has expired, was already used or has been withdrawn. Ask your administrator for a new one.':
    'Die Einladung ist abgelaufen, wurde schon benutzt oder zurückgezogen. Bitten Sie Ihre Administration um eine neue.',
  'Choose a new password': 'Neues Passwort wählen',
  'Set password': 'Passwort setzen',
  'Reset your password': 'Passwort zurücksetzen',
  'Email address of your account': 'E-Mail-Adresse Ihres Kontos',
  'Send reset link': 'Link zum Zurücksetzen senden',
  'This server does not send email. Ask the administrator for a link to reset your password.':
    'Dieser Server verschickt keine E-Mails. Bitten Sie die Administration um einen Link, mit dem Sie Ihr Passwort zurücksetzen.',
  'The link has expired or was already used. Request a new one.':
    'Der Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  'Check your email': 'Sehen Sie in Ihrem Postfach nach',
  'If there is an account with this email address, we have sent a link to reset its password. It works once, within an hour.':
    'Wenn es ein Konto mit dieser E-Mail-Adresse gibt, haben wir einen Link zum Zurücksetzen des Passworts geschickt. Er gilt einmal, innerhalb einer Stunde.',
  'This page has expired. Go back, reload it and try again.':
    'Diese Seite ist abgelaufen. Gehen Sie zurück, laden Sie sie neu und versuchen Sie es noch einmal.',
  'The form contains an invalid value': 'Das Formular enthält einen ungültigen Wert',
  'The two passwords do not match': 'Die beiden Passwörter stimmen nicht überein',
  'Go to your workspaces': 'Zu Ihren Arbeitsbereichen',
  'Not found': 'Nicht gefunden',
  'Not allowed': 'Nicht erlaubt',
  'Too many attempts': 'Zu viele Versuche',
  'Something went wrong': 'Etwas ist schiefgegangen',
  'Request rejected': 'Anfrage abgelehnt',
  'The URL to redirect to is too long. Go back and use fewer parameters.':
    'Die Adresse, zu der weitergeleitet werden soll, ist zu lang. Gehen Sie zurück und verwenden Sie weniger Parameter.',
  'Enter your email address and your password.': 'Geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein.',
  Password: 'Passwort',
  'Sign in with {company}': 'Mit {company} anmelden',
  'Forgot your password?': 'Passwort vergessen?',
  'Kenning is not set up yet': 'Kenning ist noch nicht eingerichtet',
  'There is no account yet. Open the setup link that Kenning printed when it started, to create the first one.':
    'Es gibt noch kein Konto. Öffnen Sie den Link zur Einrichtung, den Kenning beim Start ausgegeben hat, um das erste anzulegen.',
  'The link is in the terminal or the log of {command}. A restart prints a new one.':
    'Der Link steht im Terminal oder im Protokoll von {command}. Ein Neustart gibt einen neuen aus.',
  'The email address or password is incorrect.': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'Sign-up is closed on this server. Ask the administrator for an invitation.':
    'Auf diesem Server kann man sich nicht selbst registrieren. Bitten Sie die Administration um eine Einladung.',
  'This invitation has expired, was already used or is for another email address. Ask for a new one.':
    'Diese Einladung ist abgelaufen, wurde schon benutzt oder gilt für eine andere E-Mail-Adresse. Bitten Sie um eine neue.',
  'An account with this email address already exists; sign in instead':
    'Es gibt schon ein Konto mit dieser E-Mail-Adresse; melden Sie sich stattdessen an',
  'The password must have at least 12 characters': 'Das Passwort muss mindestens 12 Zeichen haben',
  'The password must have at most 1000 characters': 'Das Passwort darf höchstens 1000 Zeichen haben',
  'This password is too easy to guess; choose another one, for example four unrelated words':
    'Dieses Passwort ist zu leicht zu erraten; wählen Sie ein anderes, zum Beispiel vier Wörter ohne Zusammenhang',
  'This link has expired or was already used. Request a new one.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  'Email is not configured on this server. Ask the administrator for a password reset link.':
    'Auf diesem Server ist kein E-Mail-Versand eingerichtet. Bitten Sie die Administration um einen Link zum Zurücksetzen des Passworts.',
  'Too many sign-ins are in progress; try again in a moment.':
    'Gerade melden sich zu viele Personen an; versuchen Sie es gleich noch einmal.',
  'This account is suspended. Ask your administrator.':
    'Dieses Konto ist gesperrt. Wenden Sie sich an Ihre Administration.',
  'You are not in a company group that may use Kenning. Ask your administrator.':
    'Sie gehören zu keiner Gruppe Ihrer Firma, die Kenning benutzen darf. Wenden Sie sich an Ihre Administration.',
  'Your company’s identity provider does not confirm your email address. Ask your administrator.':
    'Der Anmeldedienst Ihrer Firma bestätigt Ihre E-Mail-Adresse nicht. Wenden Sie sich an Ihre Administration.',
  'Your company’s identity provider does not send a valid email address for you. Ask your administrator.':
    'Der Anmeldedienst Ihrer Firma sendet keine gültige E-Mail-Adresse für Sie. Wenden Sie sich an Ihre Administration.',
  'Your email address belongs to the account of another company user. Ask your administrator.':
    'Ihre E-Mail-Adresse gehört zum Konto einer anderen Person Ihrer Firma. Wenden Sie sich an Ihre Administration.',
  'Kenning has no administrator yet: the first account has to be created with the setup token.':
    'Kenning hat noch keine Administration: Das erste Konto muss mit dem Link zur Einrichtung angelegt werden.',
  'This sign-in was started in another browser or more than 15 minutes ago. Start again.':
    'Diese Anmeldung wurde in einem anderen Browser oder vor mehr als 15 Minuten begonnen. Beginnen Sie noch einmal.',
  'Your company’s identity provider refused the sign-in. Start again.':
    'Der Anmeldedienst Ihrer Firma hat die Anmeldung abgelehnt. Beginnen Sie noch einmal.',
  'Your company’s identity provider could not complete the sign-in. Start again, or ask your administrator.':
    'Der Anmeldedienst Ihrer Firma konnte die Anmeldung nicht abschließen. Beginnen Sie noch einmal, oder wenden Sie sich an Ihre Administration.',
  'Company sign-in is not configured on this server.':
    'Auf diesem Server ist keine Firmenanmeldung eingerichtet.',
  'This application is not registered on this server, or its registration has expired. Remove the connection in the application and add it again.':
    'Diese Anwendung ist auf diesem Server nicht registriert, oder die Registrierung ist abgelaufen. Entfernen Sie die Verbindung in der Anwendung und fügen Sie sie wieder hinzu.',
  'This is not a valid email address': 'Das ist keine gültige E-Mail-Adresse',
  'There is no page at this address.': 'Unter dieser Adresse gibt es keine Seite.',
  'The service is restarting; try again in a few seconds.':
    'Der Dienst startet gerade neu; versuchen Sie es in einigen Sekunden noch einmal.',
  'The database is not reachable at the moment; try again in a few seconds.':
    'Die Datenbank ist gerade nicht erreichbar; versuchen Sie es in einigen Sekunden noch einmal.',
  'The database did not answer in time; try again in a few seconds.':
    'Die Datenbank hat nicht rechtzeitig geantwortet; versuchen Sie es in einigen Sekunden noch einmal.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  'Check “{field}”: {problem}': 'Prüfen Sie „{field}“: {problem}',
  'Too many attempts. Try again in {count} seconds.': {
    one: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunde noch einmal.',
    other: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunden noch einmal.',
  },
  'The form contains no decision: choose Allow or Deny.':
    'Das Formular enthält keine Entscheidung: Wählen Sie „Erlauben“ oder „Ablehnen“.',
  'Create, change and delete workspaces and documents where your role allows it':
    'Arbeitsbereiche und Dokumente anlegen, ändern und löschen, wo Ihre Rolle das erlaubt',
  'Allow “{name}” to access Kenning?': '„{name}“ den Zugriff auf Kenning erlauben?',
  'It will be able to': 'Die Anwendung kann dann',
  'Read, search and ask questions in all workspaces that you can read':
    'Alle Arbeitsbereiche, die Sie lesen können, lesen und durchsuchen und Fragen dazu stellen',
  'It returns you to': 'Sie werden zurückgeleitet zu',
  'It acts as {email} until you disconnect it under Connections.':
    'Sie handelt als {email}, bis Sie sie unter „Verbindungen“ trennen.',
  'Use another account': 'Anderes Konto verwenden',
  Deny: 'Ablehnen',
  Allow: 'Erlauben',
  'An application that calls itself {name} wants to access Kenning on your behalf. This name has not been verified: allow access only if you have just started this yourself.':
    'Eine Anwendung, die sich {name} nennt, möchte in Ihrem Namen auf Kenning zugreifen. Dieser Name wurde nicht geprüft: Erlauben Sie den Zugriff nur, wenn Sie dies gerade selbst begonnen haben.',
  '{name}, an application of {host}, wants to access Kenning on your behalf. Allow access only if you have just started this yourself.':
    '{name}, eine Anwendung von {host}, möchte in Ihrem Namen auf Kenning zugreifen. Erlauben Sie den Zugriff nur, wenn Sie dies gerade selbst begonnen haben.',
  'A program on this computer.': 'Ein Programm auf diesem Computer.',
  'The app on this device that opens links of this kind.':
    'Die App auf diesem Gerät, die solche Links öffnet.',
  'Any program on this computer could have asked for access under this name. Kenning cannot tell which one it is.':
    'Jedes Programm auf diesem Computer könnte unter diesem Namen um Zugriff gebeten haben. Kenning kann nicht erkennen, welches es ist.',
  'Reset your Kenning password': 'Ihr Kenning-Passwort zurücksetzen',
  'Someone, probably you, asked to reset the Kenning password of this email address.':
    'Jemand, wahrscheinlich Sie selbst, möchte das Kenning-Passwort dieser E-Mail-Adresse zurücksetzen.',
  'If it was not you, ignore this email: your password stays the same.':
    'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.',
  'Enter your code': 'Code eingeben',
  'Your second factor': 'Ihr zweiter Faktor',
  'Enter the code that your authenticator app shows for Kenning, or one of your recovery codes.':
    'Geben Sie den Code ein, den Ihre Authenticator-App für Kenning anzeigt, oder einen Ihrer Wiederherstellungscodes.',
  Code: 'Code',
  'Sign in as somebody else': 'Als andere Person anmelden',
  'Without the app and without recovery codes, ask your administrator to reset your second factor.':
    'Wenn Sie weder die App noch Wiederherstellungscodes haben, bitten Sie Ihre Administration, Ihren zweiten Faktor zurückzusetzen.',
  'The code is wrong, was already used or has expired.':
    'Der Code ist falsch, wurde schon benutzt oder ist abgelaufen.',
  'The sign-in took too long. Enter your password again.':
    'Die Anmeldung hat zu lange gedauert. Geben Sie Ihr Passwort noch einmal ein.',
  'Your account will be {email}.': 'Ihr Konto wird {email} sein.',
  'Kenning searches documents and answers questions about them, with the sentences that each answer comes from.':
    'Kenning durchsucht Dokumente und beantwortet Fragen dazu, mit den Sätzen, aus denen jede Antwort stammt.',
  'You can read its documents, search them and ask about them.':
    'Sie können seine Dokumente lesen und durchsuchen und Fragen dazu stellen.',
  'You can read its documents, ask about them, and add, change and delete documents.':
    'Sie können seine Dokumente lesen, Fragen dazu stellen und Dokumente hinzufügen, ändern und löschen.',
  'You can do everything in it, also manage its members.':
    'Sie können darin alles tun, auch seine Mitglieder verwalten.',
  '{person} invites you to Kenning.': '{person} lädt Sie zu Kenning ein.',
  '{person} invites you to the workspace “{workspace}” in Kenning.':
    '{person} lädt Sie in den Arbeitsbereich „{workspace}“ in Kenning ein.',
  '{person} invites you to “{workspace}” in Kenning': '{person} lädt Sie zu „{workspace}“ in Kenning ein',
  '{person} invites you to Kenning': '{person} lädt Sie zu Kenning ein',
  'The link works once, within 7 days.': 'Der Link gilt einmal, innerhalb von 7 Tagen.',
  'Open your account page': 'Kontoseite öffnen',
  'The link works once, within an hour.': 'Der Link gilt einmal, innerhalb einer Stunde.',
  'If you did not expect this invitation, ignore this email: no account is created without you.':
    'Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie diese E-Mail: Ohne Ihr Zutun wird kein Konto angelegt.',
  'If the button does not work, open this address in your browser:':
    'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse im Browser:',
  'This email was sent by Kenning at {address}.': 'Diese E-Mail kommt von Kenning unter {address}.',
  'You turned off your second factor on your account page: from now on, your password alone signs you in at {address}.':
    'Sie haben auf Ihrer Kontoseite Ihren zweiten Faktor ausgeschaltet: Ab jetzt genügt Ihr Passwort, um sich bei {address} anzumelden.',
  'An administrator turned off your second factor: from now on, your password alone signs you in at {address}.':
    'Die Administration hat Ihren zweiten Faktor ausgeschaltet: Ab jetzt genügt Ihr Passwort, um sich bei {address} anzumelden.',
  'The second factor of your Kenning account is off':
    'Der zweite Faktor Ihres Kenning-Kontos ist ausgeschaltet',
  'You can set up a new one on your account page.': 'Auf Ihrer Kontoseite können Sie einen neuen einrichten.',
  'If you did not expect this, change your password and tell your administrator.':
    'Wenn Sie das nicht erwartet haben, ändern Sie Ihr Passwort und sagen Sie Ihrer Administration Bescheid.',
  'The second factor of your Kenning account is on':
    'Der zweite Faktor Ihres Kenning-Kontos ist eingeschaltet',
  'From now on, signing in with your password at {address} also asks for your second factor.':
    'Ab jetzt verlangt die Anmeldung mit Ihrem Passwort bei {address} auch Ihren zweiten Faktor.',
  'Keep your recovery codes where you find them without your phone.':
    'Bewahren Sie Ihre Wiederherstellungscodes dort auf, wo Sie sie auch ohne Ihr Smartphone finden.',
  'New recovery codes for your Kenning account': 'Neue Wiederherstellungscodes für Ihr Kenning-Konto',
  'You made new recovery codes on your account page at {address}. The former ones no longer work.':
    'Sie haben auf Ihrer Kontoseite bei {address} neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
  'A recovery code of your Kenning account was used':
    'Ein Wiederherstellungscode Ihres Kenning-Kontos wurde benutzt',
  'Someone, probably you, signed in at {address} with your password and a recovery code.':
    'Jemand, wahrscheinlich Sie selbst, hat sich bei {address} mit Ihrem Passwort und einem Wiederherstellungscode angemeldet.',
  '{count} recovery codes are left.': {
    one: '{count} Wiederherstellungscode ist noch übrig.',
    other: '{count} Wiederherstellungscodes sind noch übrig.',
  },
  'You can make new recovery codes on your account page.':
    'Auf Ihrer Kontoseite können Sie neue Wiederherstellungscodes erstellen.',
  'A passkey was added to your Kenning account': 'Ihrem Kenning-Konto wurde ein Passkey hinzugefügt',
  'From now on, you can also sign in at {address} with your password and the passkey “{name}”.':
    'Ab jetzt können Sie sich bei {address} auch mit Ihrem Passwort und dem Passkey „{name}“ anmelden.',
  'An authenticator app was added to your Kenning account':
    'Ihrem Kenning-Konto wurde eine Authenticator-App hinzugefügt',
  'From now on, you can also sign in at {address} with your password and a code of the app.':
    'Ab jetzt können Sie sich bei {address} auch mit Ihrem Passwort und einem Code der App anmelden.',
  'The authenticator app was removed from your Kenning account':
    'Die Authenticator-App wurde von Ihrem Kenning-Konto entfernt',
  'Codes of the app no longer sign you in at {address}. Your passkeys and recovery codes still work.':
    'Mit Codes der App können Sie sich bei {address} nicht mehr anmelden. Ihre Passkeys und Wiederherstellungscodes gelten weiter.',
  'A passkey was removed from your Kenning account': 'Ein Passkey wurde von Ihrem Kenning-Konto entfernt',
  'The passkey “{name}” no longer signs you in at {address}.':
    'Mit dem Passkey „{name}“ können Sie sich bei {address} nicht mehr anmelden.',
  'The passkey was not accepted. Try again.':
    'Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal.',
  'Use a passkey': 'Passkey verwenden',
  'Without your passkey, enter one of your recovery codes.':
    'Ohne Ihren Passkey geben Sie einen Ihrer Wiederherstellungscodes ein.',
  'Without your passkey and without recovery codes, ask your administrator to reset your second factor.':
    'Wenn Sie weder Ihren Passkey noch Wiederherstellungscodes haben, bitten Sie Ihre Administration, Ihren zweiten Faktor zurückzusetzen.',
}
